import type { Database } from "../../db/database.ts";
import { ConflictError } from "../../db/errors.ts";
import { findHead } from "../../db/record/seals.ts";
import { writeChunk } from "../../db/search/facts.ts";
import { prepareSearch } from "../../db/search/prepare.ts";
import {
  type AskKey,
  changedAsks,
  type LabelledAsk,
  labelledAsks,
  readState,
  spansAfter,
} from "../../db/search/to-index.ts";
import { createState, type Entry, writeEntries } from "../../db/search/write-entries.ts";
import type { SearchStateRow } from "../../db/tables.ts";
import { askView } from "../../domain/views/ask-view.ts";
import { searchText } from "../../domain/views/search-text.ts";
import type { AskCache } from "../asks/ask-cache.ts";
import { similarKey } from "../changes.ts";
import type { HubEvents } from "../events.ts";
import { type BackgroundOptions, every } from "./every.ts";

/** Asks per write: everyone shares the writer, which takes about 10 ms for so many. */
const BATCH = 200;
const SPANS = 200;
const WRITES_PER_CHECKPOINT = 40;
/** While there is much to do, it rests for this many times as long as it works: nobody should notice. */
const REST = 9;
const MANY_LOSSES = 20;

export type IndexingOptions = Pick<BackgroundOptions, "everyMs" | "onError"> & {
  /** The longest that a search waits for what has just changed. */
  patienceMs: number;
};

type Sources = {
  db: Database;
  events: HubEvents;
  asks: Pick<AskCache, "peek">;
  /** Agents and titles of conversations. */
  labels: { peek: (conversation_id: string) => Pick<LabelledAsk, "agent" | "title" | "space_id"> | undefined };
};

export type Indexing = {
  /** Call after the chain of seals has begun. */
  begin: () => Promise<void>;
  /** Brings the index up to date, or gives up after a moment: an old database takes a while. */
  catchUp: () => Promise<void>;
  stop: () => Promise<void>;
};

/**
 * Updates the search index in the background, from the seals: asking and answering write nothing to it. Its position is
 * stored with what it wrote, so it can continue after a crash, on any node.
 */
export function createIndexing(
  { db, events, asks, labels }: Sources,
  seal: () => Promise<void>,
  { everyMs, patienceMs, onError }: IndexingOptions,
): Indexing {
  let isPrepared = false;
  /** How many changes this node has committed, and how many of them are indexed. */
  let changes = 0;
  let indexed = -1;
  const unsubscribe = events.subscribe(() => {
    changes += 1;
  });
  let isStopped = false;
  let writes = 0;
  let losses = 0;
  let loop: ReturnType<typeof every> | undefined;

  const prepare = async () => {
    const missing = await prepareSearch(db);
    if (missing)
      onError(
        new Error(
          `Search works without its index, and slowly if there is much to search (${missing.message}). Let this user create the extension pg_trgm, and start again.`,
        ),
      );
    await createState(db);
    isPrepared = true;
  };

  /**
   * Most have just been settled and are still cached. Where other nodes write too, a cached ask may be out of date, and rows
   * are read: 25 µs per ask.
   */
  const asksToIndex = async (keys: AskKey[]): Promise<LabelledAsk[]> => {
    const found: LabelledAsk[] = [];
    const unknown: AskKey[] = [];
    for (const key of keys) {
      const ask = db.kind === "sqlite" ? asks.peek(key.conversation_id, key.tool_use_id) : undefined;
      const label = ask && labels.peek(key.conversation_id);
      if (label) found.push({ ask, similar_key: similarKey(label.agent, ask.questions), ...label });
      else unknown.push(key);
    }
    return unknown.length > 0 ? [...found, ...(await labelledAsks(db, unknown))] : found;
  };

  const write = async (state: SearchStateRow, position: number, began_at: number, keys: AskKey[]) => {
    const entries = (await asksToIndex(keys)).map(entryOf);
    const after = await writeEntries(db, state, { position, began_at }, entries);
    if (++writes % WRITES_PER_CHECKPOINT === 0) await db.checkpoint();
    return after;
  };

  const work = async () => {
    const release = await db.hold("search");
    if (!release) return;
    try {
      if (!isPrepared) await prepare();
      await index();
      losses = 0;
    } catch (error) {
      // Another node indexed at the same time: not an error unless it keeps happening.
      if (!(error instanceof ConflictError) || ++losses % MANY_LOSSES === 0) throw error;
    } finally {
      await release();
    }
  };

  const index = async () => {
    const [head, stored] = [await findHead(db), await readState(db)];
    if (!head || !stored) return;
    // A new chain of seals counts from 1 again.
    let state = stored.began_at === head.began_at ? stored : { ...stored, position: 0 };
    if (state !== stored) state = await write({ ...stored }, 0, head.began_at, []);
    while (!isStopped) {
      const spans = await spansAfter(db, state.position, SPANS);
      let keys = new Map<string, AskKey>();
      for (const span of spans) {
        for (let after: string | undefined = ""; after !== undefined && !isStopped; ) {
          const page: string[] = await changedAsks(db, span, after, BATCH);
          for (const tool_use_id of page) {
            const key = { conversation_id: span.conversation_id, tool_use_id };
            keys.set(`${key.conversation_id}\n${tool_use_id}`, key);
          }
          after = page.length === BATCH ? page.at(-1) : undefined;
          const isLast = after === undefined && span === spans.at(-1);
          if (keys.size < BATCH && !isLast) continue;
          const began = performance.now();
          // The position moves on when all asks of its seal are written.
          state = await write(state, after === undefined ? span.position : state.position, head.began_at, [
            ...keys.values(),
          ]);
          keys = new Map();
          if (!isLast) await pause((performance.now() - began) * REST);
        }
        if (isStopped) return;
      }
      while (!isStopped && (await writeChunk(db, state.seq))) await pause(REST);
      if (spans.length < SPANS) return;
    }
  };

  return {
    begin: async () => {
      // On PostgreSQL the index may take a while.
      if (db.kind === "sqlite") await prepare();
      loop = every({ everyMs, onError }, work);
    },
    catchUp: async () => {
      const upTo = changes;
      if (!loop || indexed >= upTo) return;
      const { now } = loop;
      const run = async () => {
        await seal();
        await now();
        indexed = Math.max(indexed, upTo);
      };
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, patienceMs);
      });
      await Promise.race([run().catch(onError), late]);
      clearTimeout(timer);
    },
    stop: async () => {
      isStopped = true;
      unsubscribe();
      await loop?.stop();
    },
  };
}

function entryOf({ ask, agent, title, space_id, similar_key }: LabelledAsk): Entry {
  const { result, decided_at, created_at } = ask;
  const isSettled = result !== null && decided_at !== null;
  return {
    inbox_item_id: ask.inbox_item_id,
    conversation_id: ask.conversation_id,
    closed_at: isSettled ? decided_at : null,
    created_at,
    took_ms: isSettled ? Math.max(0, decided_at - created_at) : null,
    agent,
    title,
    outcome: isSettled ? result.outcome : null,
    person: isSettled && result.decided_by.kind === "person" ? result.decided_by.name : null,
    similar_key,
    space_id,
    text: searchText(askView(ask), { agent, title }),
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
