import { LRUCache } from "lru-cache";
import type { Database } from "../../db/database.ts";
import { ConflictError } from "../../db/errors.ts";
import {
  appendSeals,
  countKeyedSeals,
  eventsAfter,
  type KeyedSeal,
  lastSeal,
  type NewSeal,
  unsealed,
  unsealedBetween,
} from "../../db/record/seals.ts";
import type { HubContext } from "../context.ts";
import { headMac, link, START, sealMac } from "./chain.ts";
import type { AuditKey } from "./key.ts";
import { openChain, readHead } from "./open-chain.ts";

/** The most events from one seal to the next, and so the most that a page of the audit must compute again. */
const EVENTS_PER_SEAL = 500;
const CONVERSATIONS = 100;
const MANY_LOSSES = 20;
/** So many times the pause between seals: longer than clocks of nodes differ, and than a seal takes. */
const LOOK_AFTER = 120;

export type SealOptions = { key: AuditKey; everyMs: number; clock: () => number; onError: (error: unknown) => void };

/** Seals what was committed, off the path of the answers: within a second of the commit, all conversations in one write. */
export function createSealing(ctx: HubContext, { key, everyMs, clock, onError }: SealOptions) {
  /** Where the chain of each conversation stands. */
  const heads = new LRUCache<string, NewSeal>({ max: 5_000 });
  let dirty = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let losses = 0;
  const lookMs = LOOK_AFTER * everyMs;
  let lookedUntil = clock() - lookMs;

  const sealDirty = async () => {
    const ids = [...dirty];
    dirty = new Set();
    for (let from = 0; from < ids.length; from += CONVERSATIONS) {
      const page = ids.slice(from, from + CONVERSATIONS);
      try {
        await sealPage(page);
        losses = 0;
      } catch (error) {
        for (const id of page) {
          heads.delete(id);
          dirty.add(id);
        }
        // Another node sealed in between, perhaps the same conversations: not worth a word unless it goes on.
        if (!(error instanceof ConflictError) || ++losses % MANY_LOSSES === 0) onError(error);
      }
      await new Promise(setImmediate);
    }
  };

  const sealPage = async (ids: string[]) => {
    const seals = (await Promise.all(ids.map((id) => nextSeals(ctx.db, id, heads.get(id), clock())))).flat();
    for (let from = 0; from < seals.length; from += EVENTS_PER_SEAL)
      await append(ctx.db, key, seals.slice(from, from + EVENTS_PER_SEAL));
    for (const seal of seals) heads.set(seal.conversation_id, seal);
  };

  /** What an earlier process committed and did not live to seal. */
  const findLeftOver = async () => {
    const [{ head }, seals] = [await readHead(ctx.db, key), await countKeyedSeals(ctx.db)];
    if (seals < head.position)
      throw new Error(
        `The audit chain has ${head.position} seals and the database ${seals}: some were removed. They are not made again; run \`parley audit\` to see what is missing.`,
      );
    let after = "";
    for (;;) {
      const { ids, last } = await unsealed(ctx.db, after, CONVERSATIONS);
      for (const id of ids) dirty.add(id);
      if (last === undefined) return;
      after = last;
      await new Promise(setImmediate);
    }
  };

  /** What another node committed and did not live to seal. Every change is looked at once, when its node has had its time. */
  const lookAround = async () => {
    const until = clock() - lookMs;
    for (const id of await unsealedBetween(ctx.db, lookedUntil, until)) dirty.add(id);
    lookedUntil = until;
  };

  const once = (work: () => Promise<void>) => {
    running = work()
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  };
  const unsubscribe = ctx.events.subscribe(({ conversation_id }) => dirty.add(conversation_id));

  return {
    /** Before the first event. Refuses a wrong key. */
    begin: async () => {
      await openChain(ctx.db, key, clock());
      once(findLeftOver);
      timer = setInterval(() => {
        if (running) return;
        if (ctx.db.kind === "postgresql" && clock() - lookedUntil > 2 * lookMs) once(lookAround);
        else if (dirty.size > 0) once(sealDirty);
      }, everyMs);
    },
    stop: async () => {
      unsubscribe();
      if (!timer) return;
      clearInterval(timer);
      await running;
      await sealDirty();
      while (dirty.size > 0 && losses > 0 && losses < MANY_LOSSES) await sealDirty();
    },
  };
}

async function nextSeals(
  db: Database,
  conversation_id: string,
  known: NewSeal | undefined,
  sealed_at: number,
): Promise<NewSeal[]> {
  const last = known ?? (await lastSeal(db, conversation_id));
  let { number, hash } = last ?? { number: 0, hash: START };
  const seals: NewSeal[] = [];
  for (;;) {
    const events = await eventsAfter(db, conversation_id, number, EVENTS_PER_SEAL);
    for (const event of events) {
      hash = link(hash, event);
      number = event.number;
    }
    if (events.length > 0) seals.push({ conversation_id, number, hash, sealed_at });
    if (events.length < EVENTS_PER_SEAL) break;
  }
  // A seal of an older version that still is the newest one: taken into the chain as it is.
  if (seals.length === 0 && last && "position" in last && last.position === null) {
    seals.push({ conversation_id, number, hash, sealed_at });
  }
  return seals;
}

async function append(db: Database, key: AuditKey, seals: NewSeal[]): Promise<void> {
  const { head, newest } = await readHead(db, key);
  const keyed: KeyedSeal[] = [];
  let previous = newest;
  for (const seal of seals) {
    const position = head.position + keyed.length + 1;
    previous = sealMac(key, previous, position, seal);
    keyed.push({ ...seal, position, mac: previous });
  }
  const position = head.position + keyed.length;
  await appendSeals(db, head, keyed, headMac(key, previous, { position, began_at: head.began_at }));
}
