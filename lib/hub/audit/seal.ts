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
  type SealedEvent,
  unsealed,
  unsealedBetween,
} from "../../db/record/seals.ts";
import { type BackgroundOptions, every, type Loop } from "../background/every.ts";
import type { HubContext } from "../context.ts";
import { headMac, link, START, sealMac } from "./chain.ts";
import type { AuditKey } from "./key.ts";
import { openChain, readHead } from "./open-chain.ts";

/** The maximum number of events between two seals, and so what checking a page of the audit costs at most. */
const EVENTS_PER_SEAL = 500;
const CONVERSATIONS = 100;
const MANY_LOSSES = 20;
/**
 * How much of the committed events stays in memory until they are sealed, in UTF-16 units. Beyond that they are read again.
 */
const MAX_KEPT_UNITS = 8 * 1024 * 1024;
const UNITS_PER_EVENT = 500;
/** In pauses between seals: longer than node clocks differ, and than a seal takes. */
const LOOK_AFTER = 120;

export type SealOptions = BackgroundOptions & { key: AuditKey };

/** Seals committed events in the background: within a second, all conversations in one write. */
export function createSealing(ctx: Pick<HubContext, "db" | "events">, { key, everyMs, clock, onError }: SealOptions) {
  /** The last seal of each conversation. */
  const heads = new LRUCache<string, NewSeal>({ max: 5_000 });
  /** Conversations with events to seal, and those events, as far as they are known. */
  let dirty = new Map<string, SealedEvent[]>();
  let keptUnits = 0;
  let loop: Loop | undefined;
  let isFirst = true;
  let losses = 0;
  const lookMs = LOOK_AFTER * everyMs;
  let lookedUntil = clock() - lookMs;

  const sealDirty = async () => {
    const all = [...dirty];
    dirty = new Map();
    keptUnits = 0;
    for (let from = 0; from < all.length; from += CONVERSATIONS) {
      const page = all.slice(from, from + CONVERSATIONS);
      try {
        await sealPage(page);
        losses = 0;
      } catch (error) {
        for (const [id] of page) {
          heads.delete(id);
          dirty.set(id, []);
        }
        // Another node sealed at the same time: not an error unless it keeps happening.
        if (!(error instanceof ConflictError) || ++losses % MANY_LOSSES === 0) onError(error);
      }
      await new Promise(setImmediate);
    }
  };

  const sealPage = async (page: Array<[id: string, events: SealedEvent[]]>) => {
    const next = page.map(([id, events]) => nextSeals(ctx.db, id, heads.get(id), events, clock()));
    const seals = (await Promise.all(next)).flat();
    for (let from = 0; from < seals.length; from += EVENTS_PER_SEAL)
      await append(ctx.db, key, seals.slice(from, from + EVENTS_PER_SEAL));
    for (const seal of seals) heads.set(seal.conversation_id, seal);
  };

  /** Finds events that an earlier process committed and died before it sealed them. */
  const findLeftOver = async () => {
    const [{ head }, seals] = [await readHead(ctx.db, key), await countKeyedSeals(ctx.db)];
    if (seals < head.position)
      throw new Error(
        `The audit chain has ${head.position} seals and the database ${seals}: some were removed. They are not made again; run \`parley audit\` to see what is missing.`,
      );
    let after = "";
    for (;;) {
      const { ids, last } = await unsealed(ctx.db, after, CONVERSATIONS);
      for (const id of ids) dirty.set(id, []);
      if (last === undefined) return;
      after = last;
      await new Promise(setImmediate);
    }
  };

  /** Finds events that another node committed and died before it sealed them. Checks every change once, after a delay. */
  const lookAround = async () => {
    const until = clock() - lookMs;
    for (const id of await unsealedBetween(ctx.db, lookedUntil, until)) dirty.set(id, []);
    lookedUntil = until;
  };

  const work = async () => {
    if (isFirst) {
      isFirst = false;
      await findLeftOver();
    } else if (ctx.db.kind === "postgresql" && clock() - lookedUntil > 2 * lookMs) await lookAround();
    else if (dirty.size > 0) await sealDirty();
  };
  const unsubscribe = ctx.events.subscribe(({ conversation_id, audit }) => {
    const kept = dirty.get(conversation_id) ?? [];
    dirty.set(conversation_id, kept);
    for (const event of audit) {
      keptUnits += UNITS_PER_EVENT + (event.before?.length ?? 0) + (event.after?.length ?? 0);
      if (keptUnits < MAX_KEPT_UNITS) kept.push(event);
      else kept.length = 0;
    }
  });

  return {
    /** Call before the first event. Refuses a wrong key. */
    begin: async () => {
      await openChain(ctx.db, key, clock());
      loop = every({ everyMs, onError }, work);
      void loop.now();
    },
    /** Another part of Parley added an event to this conversation: it is sealed with the next ones. */
    later: (conversation_id: string) => {
      // The events in memory lack that one, so all of them are read.
      dirty.set(conversation_id, []);
    },
    /** Seals what is committed so far. */
    now: async () => {
      await loop?.now();
    },
    stop: async () => {
      unsubscribe();
      if (!loop) return;
      await loop.stop();
      await sealDirty();
      while (dirty.size > 0 && losses > 0 && losses < MANY_LOSSES) await sealDirty();
    },
  };
}

async function nextSeals(
  db: Database,
  conversation_id: string,
  known: NewSeal | undefined,
  committed: SealedEvent[],
  sealed_at: number,
): Promise<NewSeal[]> {
  const last = known ?? (await lastSeal(db, conversation_id));
  let { number, hash } = last ?? { number: 0, hash: START };
  const seals: NewSeal[] = [];
  // Events in memory are read from the database only if some between them are missing: another node's, for example.
  let events = follow(number, committed) ? committed : await eventsAfter(db, conversation_id, number, EVENTS_PER_SEAL);
  while (events.length > 0) {
    for (const event of events) {
      hash = link(hash, event);
      number = event.number;
    }
    seals.push({ conversation_id, number, hash, sealed_at });
    const isLast = events === committed || events.length < EVENTS_PER_SEAL;
    events = isLast ? [] : await eventsAfter(db, conversation_id, number, EVENTS_PER_SEAL);
  }
  // A newest seal from an older version is adopted into the chain.
  if (seals.length === 0 && last && "position" in last && last.position === null) {
    seals.push({ conversation_id, number, hash, sealed_at });
  }
  return seals;
}

/** Whether these are the very next events, and few enough for one seal. */
function follow(number: number, events: SealedEvent[]): boolean {
  const isWhole = events.every((event, index) => event.number === number + 1 + index);
  return isWhole && events.length > 0 && events.length <= EVENTS_PER_SEAL;
}

async function append(db: Database, key: AuditKey, seals: NewSeal[]): Promise<void> {
  const { head, newest } = await readHead(db, key);
  const keyed: KeyedSeal[] = [];
  let previous = newest;
  for (const seal of seals) {
    const position = head.position + keyed.length + 1;
    previous = sealMac(key, previous, position, seal);
    keyed.push({ position, mac: previous, ...seal });
  }
  const position = head.position + keyed.length;
  await appendSeals(db, head, keyed, headMac(key, previous, { position, began_at: head.began_at }));
}
