import { LRUCache } from "lru-cache";
import type { Database } from "../db/database.ts";
import { openItems } from "../db/hot/asks.ts";
import { readHeads } from "../db/hot/conversations.ts";
import { returnedSince, snoozed } from "../db/hot/snoozes.ts";
import type { Ask } from "../domain/ask.ts";
import { isPending } from "../domain/lifecycle.ts";
import { scopeOf } from "../domain/rights.ts";
import { createNormalise } from "../domain/shapes/normalise.ts";
import { NO_TEAM, type Team } from "../domain/team.ts";
import type { Purpose } from "../protocol/access.ts";
import type { Call } from "../protocol/actor.ts";
import { newId } from "../protocol/ids.ts";
import type { Limits } from "../protocol/limits.ts";
import { TEAM_RECORD } from "../protocol/space.ts";
import { type Access, type Caller, Grants, type Overview } from "./access.ts";
import { AskAllowance } from "./asks/allowance.ts";
import { answer } from "./asks/answer.ts";
import { answerMany } from "./asks/answer-many.ts";
import { answerSimilar } from "./asks/answer-similar.ts";
import { ask } from "./asks/ask.ts";
import { askAgain } from "./asks/ask-again.ts";
import { AskCache } from "./asks/ask-cache.ts";
import { cancel } from "./asks/cancel.ts";
import { assign, claim, release } from "./asks/claim.ts";
import { loadAsk } from "./asks/decide.ts";
import { expire } from "./asks/expire.ts";
import { extend } from "./asks/extend.ts";
import { Holds } from "./asks/holds.ts";
import { notified } from "./asks/notified.ts";
import { reopen } from "./asks/reopen.ts";
import { reply } from "./asks/reply.ts";
import { report } from "./asks/report.ts";
import { reportDecision } from "./asks/report-decision.ts";
import { resume } from "./asks/resume.ts";
import { listSkills } from "./asks/skills.ts";
import { snooze, snoozerOf } from "./asks/snooze.ts";
import { readAsk, wait } from "./asks/wait.ts";
import { Waiters } from "./asks/waiters.ts";
import { exportAudit } from "./audit/export-audit.ts";
import type { AuditKey } from "./audit/key.ts";
import { audit } from "./audit/read-audit.ts";
import { createSealing } from "./audit/seal.ts";
import { createTeamRecord } from "./audit/team-record.ts";
import { startDeliveries } from "./background/deliveries.ts";
import { every } from "./background/every.ts";
import { createIndexing } from "./background/indexing.ts";
import { REMOVE_EVERY_MS, removeUnfinished } from "./background/remove-unfinished.ts";
import { startSweep } from "./background/sweep.ts";
import { createCommit, toStorageUnavailable } from "./commit.ts";
import type { HubContext, LocalNode } from "./context.ts";
import { allowMore } from "./conversations/allow-more.ts";
import { close } from "./conversations/close.ts";
import { continueFrom } from "./conversations/continue.ts";
import { createConversation } from "./conversations/create.ts";
import { readDraft, saveDraft } from "./conversations/drafts.ts";
import { exportConversation } from "./conversations/export.ts";
import { exportInbox } from "./conversations/export-inbox.ts";
import { FacetCache } from "./conversations/facet-cache.ts";
import { importConversation } from "./conversations/import.ts";
import { inbox, inboxItem } from "./conversations/inbox.ts";
import { labelOf } from "./conversations/label.ts";
import { find, listConversations } from "./conversations/list.ts";
import { OpenCount } from "./conversations/open-count.ts";
import { readConversation, readMessages, readNewest, readState } from "./conversations/read.ts";
import { HubEvents } from "./events.ts";
import { exportInsights } from "./insights/export-insights.ts";
import { insights } from "./insights/insights.ts";
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
  /** Names of the agents that this process runs; a message to any other is only stored. */
  agents?: Iterable<string>;
  maxQueue: number;
  skillsFolder: string;
  /** Who is in the team now; nobody has an account without it. */
  team?: () => Team;
  /** How long a claim holds. */
  claimMs?: number;
  /** When people must be notified of a new ask; without it, nobody is. */
  notifyAt?: HubContext["notifyAt"];
  /** Agents that work on this machine, which not everyone may start. */
  guardedAgents?: Iterable<string>;
  /** Brings what this node knows of the team up to date; undefined if it is. */
  confirmTeam?: () => Promise<void> | undefined;
  clock: () => number;
  onError: (error: unknown) => void;
  /** How often to look for changes by other nodes, which is also the longest that a lost wake-up can delay an answer. */
  sweepMs?: number;
  sealMs?: number;
  /** The longest that a search waits for what has just changed. */
  patienceMs?: number;
  /** How long another node must look dead before its turns are taken over. */
  graceMs?: number;
  /** The pauses before each look for a change whose outcome is unknown. */
  lookAgainMs?: readonly number[];
};

/** The use cases, bound to one database. Everything that changes a question goes through here. */
export function createHub(options: HubOptions) {
  const { db, auditKey, limits, maxQueue, skillsFolder, clock, onError, agents = [] } = options;
  const { team = () => NO_TEAM, claimMs = 1_800_000, guardedAgents = [], notifyAt = () => null } = options;
  const { confirmTeam = () => undefined } = options;
  const { sweepMs = 1_000, sealMs = 500, patienceMs = 250, graceMs = 5_000, lookAgainMs = [0, 250, 1_000] } = options;
  const events = new HubEvents(onError);
  const asks = new AskCache();
  const waiters = new Waiters();
  const id = newId("node", clock());
  const node: LocalNode = { id, owner: id, agents: new Set(agents) };
  const deliveries = startDeliveries(db, { everyMs: sealMs, clock, onError });
  const sealing = createSealing({ db, events }, { key: auditKey, everyMs: sealMs, clock, onError });
  const labels: HubContext["labels"] = new LRUCache({ max: 5_000 });
  const indexing = createIndexing({ db, events, asks, labels }, sealing.now, {
    everyMs: sealMs / 2,
    patienceMs,
    onError,
  });
  const guarded = new Set(guardedAgents);
  const access = new Grants({ db, labels, team, guardedAgents: guarded, node }, confirmTeam, onError);
  const ctx: HubContext = {
    db,
    access,
    ...createCommit({ db, asks, waiters, events, lookAgainMs }),
    asks,
    allowance: new AskAllowance(db, events, limits),
    labels,
    openCount: new OpenCount(db, events),
    facets: new FacetCache(db),
    indexing,
    waiters,
    holds: new Holds(db),
    events,
    deliveries,
    node,
    limits,
    normalise: createNormalise(limits),
    maxQueue,
    skillsFolder,
    team,
    claimMs,
    notifyAt,
    guardedAgents: guarded,
  };
  const teamRecord = createTeamRecord(ctx, () => sealing.later(TEAM_RECORD));
  const bind =
    <Arguments extends unknown[], Result>(use: (ctx: HubContext, call: Call, ...rest: Arguments) => Promise<Result>) =>
    (call: Call, ...rest: Arguments) =>
      use(ctx, call, ...rest).catch(toStorageUnavailable);
  /** Binds a use case to what its caller may do with one conversation. */
  const on =
    <To extends Purpose, Arguments extends unknown[], Result>(
      to: To,
      use: (ctx: HubContext, at: Access<To>, ...rest: Arguments) => Promise<Result>,
    ) =>
    async (call: Call, conversation_id: string, ...rest: Arguments): Promise<Result> => {
      try {
        const granted = access.to(to, call, conversation_id);
        return await use(ctx, granted instanceof Promise ? await granted : granted, ...rest);
      } catch (error) {
        return toStorageUnavailable(error);
      }
    };
  /** The same for a request that names its conversation. */
  const onNamed = <To extends Purpose, Request extends object, Arguments extends unknown[], Result>(
    to: To,
    use: (ctx: HubContext, at: Access<To>, request: Request, ...rest: Arguments) => Promise<Result>,
  ) => {
    const bound = on(to, use);
    return (call: Call, request: Request & { conversation_id: string }, ...rest: Arguments) =>
      bound(call, request.conversation_id, request, ...rest);
  };
  /** Binds a use case to the lists that its caller may read. */
  const onLists =
    <Arguments extends unknown[], Result>(
      use: (ctx: HubContext, seen: Overview, ...rest: Arguments) => Promise<Result>,
    ) =>
    async (call: Call, ...rest: Arguments): Promise<Result> => {
      try {
        return await use(ctx, access.overview(call), ...rest);
      } catch (error) {
        return toStorageUnavailable(error);
      }
    };
  const removing = every({ everyMs: REMOVE_EVERY_MS, onError }, () => removeUnfinished(ctx, clock()));
  const takeOver = createTakeOver(ctx, onError, graceMs);
  const sweep = startSweep(ctx, { everyMs: sweepMs, clock, onError });
  return {
    ask: bind(ask),
    askAgain: bind(askAgain),
    /** While an ask is held, the same question asked again is a new ask. */
    hold: (ask: Ask, call: string) => ctx.holds.take(ask, call),
    readAsk: onNamed("read", readAsk),
    wait: onNamed("read", wait),
    notified: bind(notified),
    /** The caller received the ask; if it is settled, the record will say so. */
    noteDelivery: deliveries.add,
    /** Records the deliveries noted so far. */
    recordDeliveries: deliveries.flush,
    answer: onNamed("answer", answer),
    answerMany: bind(answerMany),
    answerSimilar: onNamed("answer", answerSimilar),
    reply: onNamed("answer", reply),
    claim: bind(claim),
    release: bind(release),
    assign: bind(assign),
    snooze: bind(snooze),
    /** Follows what people put away here. */
    onPutAway: events.onPutAway.bind(events),
    /** What came back to people by itself in this time, on whichever node they put it away. */
    returnedSince: (after: number, now: number) => returnedSince(db, after, now),
    /** Everything that people have put away. */
    snoozed: (now: number) => snoozed(db, now),
    snoozerOf,
    extend: onNamed("tend", extend),
    cancel: onNamed("cancel", cancel),
    reopen: onNamed("answer", reopen),
    report: bind(report),
    reportDecision: onNamed("report", reportDecision),
    resume: onNamed("answer", resume),
    /** Follows a conversation until `release`; `onLost` if the caller loses access. */
    watchConversation: on("read", async (ctx, at, onLost?: (error: unknown) => void) => {
      await labelOf(ctx, at.conversation_id);
      return access.hold(at, onLost);
    }),
    /** Follows what the caller sees, which may change. */
    watchLists: (call: Call) => access.hold<Caller>(access.overview(call)),
    watchCaller: (call: Call, onLost: (error: unknown) => void) =>
      access.hold<Caller>({ call, scope: scopeOf(call.actor) }, onLost),
    /** People, spaces, keys or sessions may have changed: what lasts is checked again. */
    recheckAccess: () => access.changed(),
    confirmTeam,
    labelOf: (conversation_id: string) => labelOf(ctx, conversation_id),
    expire: (now: number) => expire(ctx, now, onError),
    continueFrom: on("run", continueFrom),
    close: on("tend", close),
    allowMore: on("allowMore", allowMore),
    sendMessage: on("run", sendMessage),
    interrupt: on("tend", interrupt),
    say: on("ask", say),
    endTurn: on("ask", endTurn),
    park: on("ask", park),
    openTurn: (conversation_id: string, turn_id: string) => openTurn(ctx, conversation_id, turn_id),
    isAwaited: (ask: Ask) => isAwaited(ctx, ask),
    runsTurn: (turn_id: string) => runsTurn(ctx, turn_id),
    /** Call once, after the runner has subscribed. */
    begin: async (call: Call) => {
      await sealing.begin();
      await teamRecord.resume(call.now);
      await indexing.begin();
      await db.claimNode(node.id);
      await takeOver(call);
    },
    takeOver,
    /** Does this too whenever the sweep runs. */
    onSweep: sweep.add,
    /** Leaves turns that begin from now on to other nodes: this one is shutting down. */
    retire: () => {
      node.owner = null;
    },
    createConversation: bind(createConversation),
    readConversation: on("read", readConversation),
    readState: on("read", readState),
    listConversations: onLists(listConversations),
    find: onLists(find),
    readMessages: onNamed("read", readMessages),
    readNewest: on("read", readNewest),
    inbox: onLists(inbox),
    inboxItem: bind(inboxItem),
    readDraft: onNamed("read", readDraft),
    saveDraft: onNamed("read", saveDraft),
    exportInbox: onLists(exportInbox),
    insights: onLists(insights),
    exportInsights: onLists(exportInsights),
    skills: onLists(listSkills),
    audit: onNamed("read", (_ctx, at, query: Parameters<typeof audit>[2]) =>
      audit({ db, auditKey }, at, query).catch(toStorageUnavailable),
    ),
    exportAudit: bind(exportAudit),
    exportConversation: on("read", exportConversation),
    importConversation: bind(importConversation),
    node: node.id,
    /** Another node changed this ask: wakes those who wait for it here, if it is settled. */
    onRemoteChange: async (conversation_id: string, tool_use_id: string) => {
      if (!ctx.waiters.has({ conversation_id, tool_use_id })) return;
      const ask = await loadAsk(ctx, { conversation_id, tool_use_id });
      if (!isPending(ask)) ctx.waiters.wake(ask);
    },
    /** Whether other nodes may share the database. */
    hasPeers: db.kind === "postgresql",
    heads: (ids: string[]) => readHeads(db, ids),
    openItems: () => openItems(db),
    subscribe: events.subscribe.bind(events),
    waiting: () => ctx.waiters.size,
    /** The record of people, keys and spaces: see team-record.ts. */
    teamRecord: { begin: teamRecord.begin, changed: teamRecord.changed },
    /** Ends all waits with the ask as it is: this process is shutting down. */
    releaseWaits: () => ctx.waiters.releaseAll(),
    stop: async () => {
      ctx.waiters.releaseAll();
      await sweep.stop();
      await deliveries.stop();
      await indexing.stop();
      await sealing.stop();
      await removing.stop();
    },
  };
}
export type Hub = ReturnType<typeof createHub>;
