import { hash as digest } from "node:crypto";
import { LRUCache } from "lru-cache";
import { eventsAfter, insertSeals, lastSeal, listSeals, type Seal, type SealedEvent, unsealed } from "../db/seals.ts";
import type { ChainReport } from "../protocol/audit.ts";
import type { HubContext } from "./context.ts";

const PAGE = 500;
const START = "parley";

/** Each event's hash covers the one before it; a seal keeps the newest. */
function link(hash: string, e: SealedEvent): string {
  const text = JSON.stringify([
    hash,
    e.conversation_id,
    e.number,
    e.action,
    e.tool_use_id,
    e.question_id,
    e.actor,
    e.at,
    e.before,
    e.after,
  ]);
  return digest("sha256", text, "hex");
}

export type SealOptions = { everyMs: number; clock: () => number; onError: (error: unknown) => void };

/** Seals what was committed, off the way of the answers: within a second of the commit, all conversations in one write. */
export function startSealing(ctx: HubContext, { everyMs, clock, onError }: SealOptions): { stop: () => Promise<void> } {
  const heads = new LRUCache<string, Seal>({ max: 5_000 });
  let dirty = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  const sealDirty = async () => {
    const ids = [...dirty];
    dirty = new Set();
    for (let from = 0; from < ids.length; from += 100) {
      const page = ids.slice(from, from + 100);
      try {
        const seals = await Promise.all(page.map((id) => nextSeal(ctx, id, heads.get(id))));
        const made = seals.filter((seal) => seal !== undefined);
        if (made.length > 0) await insertSeals(ctx.db, made, clock());
        for (const seal of made) heads.set(seal.conversation_id, seal);
      } catch (error) {
        for (const id of page) dirty.add(id);
        onError(error);
      }
      await new Promise(setImmediate);
    }
  };

  /** What an earlier process committed and did not live to seal. */
  const findLeftOver = async () => {
    let after = "";
    for (;;) {
      const { ids, last } = await unsealed(ctx.db, after, PAGE);
      for (const id of ids) dirty.add(id);
      if (last === undefined) return;
      after = last;
      await new Promise(setImmediate);
    }
  };

  const unsubscribe = ctx.events.subscribe(({ conversation_id }) => dirty.add(conversation_id));
  running = findLeftOver().catch(onError);
  timer = setInterval(() => {
    if (dirty.size === 0 || running) return;
    running = sealDirty().finally(() => {
      running = undefined;
    });
  }, everyMs);
  running.finally(() => {
    running = undefined;
  });
  return {
    stop: async () => {
      clearInterval(timer);
      unsubscribe();
      await running;
      await sealDirty();
    },
  };
}

async function nextSeal(ctx: HubContext, conversation_id: string, head: Seal | undefined): Promise<Seal | undefined> {
  const from = head ?? (await lastSeal(ctx.db, conversation_id)) ?? { conversation_id, number: 0, hash: START };
  let { number, hash } = from;
  for (;;) {
    const events = await eventsAfter(ctx.db, conversation_id, number, PAGE);
    for (const event of events) {
      hash = link(hash, event);
      number = event.number;
    }
    if (events.length < PAGE) break;
  }
  return number === from.number ? undefined : { conversation_id, number, hash };
}

/** Computes the whole chain anew and compares it with every seal. */
export async function verifyChain(ctx: Pick<HubContext, "db">, conversation_id: string): Promise<ChainReport> {
  const seals = new Map((await listSeals(ctx.db, conversation_id)).map((seal) => [seal.number, seal.hash]));
  let [hash, number] = [START, 0];
  let broken_at: number | null = null;
  for (;;) {
    const events = await eventsAfter(ctx.db, conversation_id, number, PAGE);
    for (const event of events) {
      hash = link(hash, event);
      if (event.number !== number + 1) broken_at ??= number + 1;
      number = event.number;
      const sealed = seals.get(number);
      if (sealed !== undefined && sealed !== hash) broken_at ??= number;
    }
    if (events.length < PAGE) break;
  }
  const sealed = Math.max(0, ...seals.keys());
  if (sealed > number) broken_at ??= number + 1;
  return { intact: broken_at === null, events: number, sealed: Math.min(sealed, number), broken_at };
}
