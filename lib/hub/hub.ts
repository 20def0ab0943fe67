import type { Database } from "../db/database.ts";
import { openItems } from "../db/hot/asks.ts";
import { readHeads } from "../db/hot/conversations.ts";
import type { Ask } from "../domain/ask.ts";
import { isPending } from "../domain/lifecycle.ts";
import type { Call } from "../protocol/actor.ts";
import { newId } from "../protocol/ids.ts";
import type { InboxQuery } from "../protocol/inbox.ts";
import type { Limits } from "../protocol/limits.ts";
import { answer } from "./asks/answer.ts";
import { answerMany } from "./asks/answer-many.ts";
import { ask } from "./asks/ask.ts";
import { askAgain } from "./asks/ask-again.ts";
import { cancel } from "./asks/cancel.ts";
import { load } from "./asks/decide.ts";
import { expire } from "./asks/expire.ts";
import { reopen } from "./asks/reopen.ts";
import { report } from "./asks/report.ts";
import { resume } from "./asks/resume.ts";
import { listSkills } from "./asks/skills.ts";
import { wait } from "./asks/wait.ts";
import type { AuditKey } from "./audit/key.ts";
import { audit } from "./audit/read-audit.ts";
import { createSealing } from "./audit/seal.ts";
import { startDelivering } from "./background/note-deliveries.ts";
import { startRemoving } from "./background/remove-unfinished.ts";
import { startSweep } from "./background/sweep.ts";
import { createContext, type HubContext, named } from "./context.ts";
import { allowMore } from "./conversations/allow-more.ts";
import { close } from "./conversations/close.ts";
import { continueFrom } from "./conversations/continue.ts";
import { createConversation } from "./conversations/create.ts";
import { exportConversation } from "./conversations/export.ts";
import { importConversation } from "./conversations/import.ts";
import { createInbox } from "./conversations/inbox.ts";
import { listConversations, readConversation, readMessages, readNewest, readState } from "./conversations/read.ts";
import { HubEvents } from "./events.ts";
import { tellOfStorage } from "./tell-of-storage.ts";
import { endTurn } from "./turns/end-turn.ts";
import { interrupt } from "./turns/interrupt.ts";
import { isAwaited, openTurn, runsTurn } from "./turns/open-turn.ts";
import { park } from "./turns/park.ts";
import { say } from "./turns/say.ts";
import { sendMessage } from "./turns/send-message.ts";
import { createTakeOver } from "./turns/take-over.ts";

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
    named: (conversation_id: string) => named(ctx, conversation_id),
    expire: (now: number) => expire(ctx, now),
    continueFrom: bind(continueFrom),
    close: bind(close),
    allowMore: bind(allowMore),
    sendMessage: bind(sendMessage),
    interrupt: bind(interrupt),
    say: bind(say),
    endTurn: bind(endTurn),
    park: bind(park),
    openTurn: (conversation_id: string, turn_id: string) => openTurn(ctx, conversation_id, turn_id),
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
    createConversation: bind(createConversation),
    readConversation: bind(readConversation),
    readState: bind(readState),
    listConversations: bind(listConversations),
    readMessages: bind(readMessages),
    readNewest: bind(readNewest),
    inbox: (call: Call, query: InboxQuery) => inbox(call, query).catch(tellOfStorage),
    skills: bind(listSkills),
    audit: bind(audit),
    exportConversation: bind(exportConversation),
    importConversation: bind(importConversation),
    node,
    /** Another node changed this ask: whoever waits for it here is woken if it is settled. */
    heard: async (conversation_id: string, tool_use_id: string) => {
      if (!ctx.waiters.has({ conversation_id, tool_use_id })) return;
      const ask = await load(ctx, { conversation_id, tool_use_id });
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
