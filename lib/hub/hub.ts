import type { Database } from "../db/database.ts";
import { openItems } from "../db/inbox.ts";
import { readHeads } from "../db/threads.ts";
import type { Ask } from "../domain/ask.ts";
import { isPending } from "../domain/lifecycle.ts";
import type { Call } from "../protocol/actor.ts";
import { newId } from "../protocol/ids.ts";
import type { InboxQuery } from "../protocol/inbox.ts";
import type { Limits } from "../protocol/limits.ts";
import { allowMore } from "./allow-more.ts";
import { answer } from "./answer.ts";
import { answerMany } from "./answer-many.ts";
import { ask } from "./ask.ts";
import { askAgain } from "./ask-again.ts";
import type { AuditKey } from "./audit/key.ts";
import { createSealing } from "./audit/seal.ts";
import { audit } from "./audit.ts";
import { cancel } from "./cancel.ts";
import { close } from "./close.ts";
import { createContext, type HubContext, named } from "./context.ts";
import { continueFrom } from "./continue.ts";
import { load } from "./decide.ts";
import { endTurn } from "./end-turn.ts";
import { HubEvents } from "./events.ts";
import { expire } from "./expire.ts";
import { exportSession } from "./export.ts";
import { importSession } from "./import.ts";
import { createInbox } from "./inbox.ts";
import { interrupt } from "./interrupt.ts";
import { startDelivering } from "./note-deliveries.ts";
import { isAwaited, openTurn, runsTurn } from "./open-turn.ts";
import { park } from "./park.ts";
import { startRemoving } from "./remove-unfinished.ts";
import { reopen } from "./reopen.ts";
import { report } from "./report.ts";
import { resume } from "./resume.ts";
import { say } from "./say.ts";
import { sendMessage } from "./send-message.ts";
import { createSession, listSessions, readMessages, readNewest, readSession, readState } from "./sessions.ts";
import { listSkills } from "./skills.ts";
import { startSweep } from "./sweep.ts";
import { createTakeOver } from "./take-over.ts";
import { tellOfStorage } from "./tell-of-storage.ts";
import { wait } from "./wait.ts";

export type HubOptions = {
  db: Database;
  auditKey: AuditKey;
  limits: Limits;
  /** Names of the agents that this process runs; a message to another one is only noted. */
  agents?: Iterable<string>;
  maxQueue?: number;
  skillsFolder?: string;
  clock: () => number;
  onError: (error: unknown) => void;
  /** How often what other nodes did is looked for; also the longest that a lost wake-up can delay an answer. */
  sweepMs?: number;
  sealMs?: number;
  /** How long another node must be gone before its turns are taken over. */
  graceMs?: number;
  /** The pauses between the looks for a change of which it is not known whether it was stored. */
  lookAgainMs?: readonly number[];
};

/** The use cases, bound to one database. Everything that changes a question goes through here. */
export function createHub(options: HubOptions) {
  const {
    db,
    auditKey,
    limits,
    clock,
    onError,
    agents = [],
    maxQueue = 8,
    sweepMs = 1_000,
    sealMs = 500,
    graceMs = 5_000,
  } = options;
  const events = new HubEvents(onError);
  const node = newId("node", clock());
  const settings = {
    auditKey,
    limits,
    maxQueue,
    node,
    runnable: new Set(agents),
    skillsFolder: options.skillsFolder ?? ".claude/skills",
    lookAgainMs: options.lookAgainMs ?? [0, 250, 1_000],
  };
  const ctx = createContext(db, settings, events);
  const bind =
    <Arguments extends unknown[], Result>(use: (ctx: HubContext, call: Call, ...rest: Arguments) => Promise<Result>) =>
    (call: Call, ...rest: Arguments) =>
      use(ctx, call, ...rest).catch(tellOfStorage);
  const inbox = createInbox(ctx);
  const sealing = createSealing(ctx, { key: auditKey, everyMs: sealMs, clock, onError });
  const delivering = startDelivering(ctx, { everyMs: sealMs, clock, onError });
  const removing = startRemoving(ctx, { clock, onError });
  const takeOver = createTakeOver(ctx, onError, graceMs);
  const sweep = startSweep(ctx, { everyMs: sweepMs, clock, onError });
  return {
    ask: bind(ask),
    askAgain: bind(askAgain),
    /** While it is held, the same question asked again is a question of its own. */
    hold: (ask: Ask, call: string) => ctx.holds.take(ask, call),
    /** Notes at once which results were given to their agents. */
    noteDeliveries: delivering.now,
    wait: bind(wait),
    answer: bind(answer),
    answerMany: bind(answerMany),
    cancel: bind(cancel),
    reopen: bind(reopen),
    report: bind(report),
    resume: bind(resume),
    named: (session_id: string) => named(ctx, session_id),
    expire: (now: number) => expire(ctx, now),
    continueFrom: bind(continueFrom),
    close: bind(close),
    allowMore: bind(allowMore),
    sendMessage: bind(sendMessage),
    interrupt: bind(interrupt),
    say: bind(say),
    endTurn: bind(endTurn),
    park: bind(park),
    openTurn: (session_id: string, turn_id: string) => openTurn(ctx, session_id, turn_id),
    isAwaited: (ask: Ask) => isAwaited(ctx, ask),
    runsTurn: (turn_id: string) => runsTurn(ctx, turn_id),
    /** Called once, when whoever runs the turns listens. */
    begin: async (call: Call) => {
      await sealing.begin();
      await db.claimNode(node);
      await takeOver.look(call);
    },
    takeOver: takeOver.look,
    /** From now on turns that begin here are left to other nodes: this one is about to end. */
    retire: () => {
      ctx.owner = null;
    },
    createSession: bind(createSession),
    readSession: bind(readSession),
    readState: bind(readState),
    listSessions: bind(listSessions),
    readMessages: bind(readMessages),
    readNewest: bind(readNewest),
    inbox: (call: Call, query: InboxQuery) => inbox(call, query).catch(tellOfStorage),
    skills: bind(listSkills),
    audit: bind(audit),
    exportSession: bind(exportSession),
    importSession: bind(importSession),
    node,
    /** Another node changed this ask: whoever waits for it here is woken if it is settled. */
    heard: async (session_id: string, tool_use_id: string) => {
      if (!ctx.waiters.has({ conversation_id: session_id, tool_use_id })) return;
      const ask = await load(ctx, { session_id, tool_use_id });
      if (!isPending(ask)) ctx.waiters.wake(ask);
    },
    /** Whether other nodes may change what this one shows. */
    hasPeers: db.kind === "postgresql",
    heads: (ids: string[]) => readHeads(db, ids),
    openItems: () => openItems(db),
    subscribe: events.subscribe.bind(events),
    waiting: () => ctx.waiters.size,
    /** Everybody who waits gets what there is; called when this process is about to end. */
    release: () => ctx.waiters.releaseAll(),
    stop: async () => {
      ctx.waiters.releaseAll();
      await sweep.stop();
      await delivering.stop();
      await sealing.stop();
      await removing.stop();
    },
  };
}
export type Hub = ReturnType<typeof createHub>;
