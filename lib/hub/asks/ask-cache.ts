import { LRUCache } from "lru-cache";
import type { Change } from "../../db/change.ts";
import type { Ask } from "../../domain/ask.ts";

/** An ask can be as large as a request body: a thousand of those would fill the memory. Large ones are not cached. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_BYTES_EACH = 256 * 1024;
/** A change with less text than this is small; its ask need not be walked to know how much memory it takes. */
const SMALL_TEXT = 8 * 1024;
const BYTES_PER_UNIT = 8;

type Entry = { ask: Ask; bytes: number };

/**
 * Recently used asks, so that most answers need no read. An entry may be stale (another node, another process): the
 * compare-and-set corrects a decision on a cached ask, and the rows are read.
 */
export class AskCache {
  readonly #byQuestion = new Map<string, string>();
  readonly #asks = new LRUCache<string, Entry>({
    max: 1_000,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
    dispose: ({ ask }) => {
      for (const question of ask.questions) this.#byQuestion.delete(key(ask.conversation_id, question.question_id));
    },
    noDisposeOnSet: true,
  });

  /**
   * A slow read may return an older version than the last change: it must not replace that change. `change` is the commit
   * that left the ask as it is, if it was one.
   */
  set(ask: Ask, change?: Change): void {
    const id = key(ask.conversation_id, ask.tool_use_id);
    const before = this.#asks.peek(id);
    if ((before?.ask.version ?? 0) > ask.version) return;
    const bytes = (change && bytesAfter(change, before)) ?? bytesOf(ask, MAX_BYTES_EACH);
    if (bytes > MAX_BYTES_EACH) return void this.#asks.delete(id);
    this.#asks.set(id, { ask, bytes });
    if (before) return;
    for (const question of ask.questions) this.#byQuestion.set(key(ask.conversation_id, question.question_id), id);
  }

  get(conversation_id: string, tool_use_id: string): Ask | undefined {
    return this.#asks.get(key(conversation_id, tool_use_id))?.ask;
  }

  /** The same without counting as a use. */
  peek(conversation_id: string, tool_use_id: string): Ask | undefined {
    return this.#asks.peek(key(conversation_id, tool_use_id))?.ask;
  }

  ofQuestion(conversation_id: string, question_id: string): Ask | undefined {
    const id = this.#byQuestion.get(key(conversation_id, question_id));
    return id === undefined ? undefined : this.#asks.get(id)?.ask;
  }
}

function key(conversation_id: string, id: string): string {
  return `${conversation_id}\n${id}`;
}

/** An upper bound from the texts of a small change. To walk the ask instead took 9 µs per round trip (CPU profile). */
function bytesAfter({ asks, messages, questions }: Change, before: Entry | undefined): number | undefined {
  const isKnown = before ? asks.length === 0 : asks.length === 1;
  if (!isKnown) return undefined;
  let units = 0;
  for (const { content } of messages) units += content.length;
  for (const { definition } of questions) units += definition.length;
  return units > SMALL_TEXT ? undefined : (before?.bytes ?? 0) + units * BYTES_PER_UNIT;
}

/** The approximate size of a value in memory; stops counting once it exceeds `enough`. */
function bytesOf(value: unknown, enough: number): number {
  if (typeof value === "string") return 16 + value.length;
  if (typeof value !== "object" || value === null) return 8;
  let bytes = 56;
  for (const inner of Object.values(value)) {
    bytes += bytesOf(inner, enough - bytes);
    if (bytes > enough) break;
  }
  return bytes;
}
