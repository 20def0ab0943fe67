import type { Database } from "../db/database.ts";
import type { Call } from "../protocol/actor.ts";
import type { InboxQuery } from "../protocol/inbox.ts";
import type { Limits } from "../protocol/limits.ts";
import { allowMore } from "./allow-more.ts";
import { answer } from "./answer.ts";
import { answerMany } from "./answer-many.ts";
import { ask } from "./ask.ts";
import { audit } from "./audit.ts";
import { cancel } from "./cancel.ts";
import { close } from "./close.ts";
import { createContext, type HubContext } from "./context.ts";
import { continueFrom } from "./continue.ts";
import { HubEvents } from "./events.ts";
import { expire } from "./expire.ts";
import { exportSession } from "./export.ts";
import { importSession } from "./import.ts";
import { createInbox } from "./inbox.ts";
import { reopen } from "./reopen.ts";
import { startSealing } from "./seal.ts";
import { createSession, listSessions, readMessages, readSession } from "./sessions.ts";
import { startSweep } from "./sweep.ts";
import { tellOfStorage } from "./tell-of-storage.ts";
import { wait } from "./wait.ts";

export type HubOptions = {
  db: Database;
  limits: Limits;
  clock: () => number;
  onError: (error: unknown) => void;
  /** How often what other nodes did is looked for; also the longest that a lost wake-up can delay an answer. */
  sweepMs?: number;
  sealMs?: number;
};

/** The use cases, bound to one database. Everything that changes a question goes through here. */
export function createHub({ db, limits, clock, onError, sweepMs = 1_000, sealMs = 500 }: HubOptions) {
  const events = new HubEvents();
  const ctx = createContext(db, limits, events);
  const bind =
    <Arguments extends unknown[], Result>(use: (ctx: HubContext, call: Call, ...rest: Arguments) => Promise<Result>) =>
    (call: Call, ...rest: Arguments) =>
      use(ctx, call, ...rest).catch(tellOfStorage);
  const inbox = createInbox(ctx);
  const sealing = startSealing(ctx, { everyMs: sealMs, clock, onError });
  const sweep = startSweep(ctx, { everyMs: sweepMs, clock, onError });
  return {
    ask: bind(ask),
    wait: bind(wait),
    answer: bind(answer),
    answerMany: bind(answerMany),
    cancel: bind(cancel),
    reopen: bind(reopen),
    expire: (now: number) => expire(ctx, now),
    continueFrom: bind(continueFrom),
    close: bind(close),
    allowMore: bind(allowMore),
    createSession: bind(createSession),
    readSession: bind(readSession),
    listSessions: bind(listSessions),
    readMessages: bind(readMessages),
    inbox: (call: Call, query: InboxQuery) => inbox(call, query).catch(tellOfStorage),
    audit: bind(audit),
    exportSession: bind(exportSession),
    importSession: bind(importSession),
    subscribe: events.subscribe.bind(events),
    waiting: () => ctx.waiters.size,
    stop: async () => {
      ctx.waiters.releaseAll();
      await sweep.stop();
      await sealing.stop();
    },
  };
}
export type Hub = ReturnType<typeof createHub>;
