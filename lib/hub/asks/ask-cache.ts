import { LRUCache } from "lru-cache";
import type { Ask } from "../../domain/ask.ts";

/** An ask may be as large as a body: a thousand such would fill the memory. Large ones are read from the rows each time. */
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_BYTES_EACH = 256 * 1024;

/**
 * The asks that were touched last, so that the usual answer needs no read. It may be stale (another node, another
 * process): whoever decides on a cached ask is corrected by the compare-and-set and reads the rows.
 */
export class AskCache {
  readonly #byQuestion = new Map<string, string>();
  readonly #asks = new LRUCache<string, Ask>({
    max: 1_000,
    maxSize: MOST_BYTES,
    dispose: (ask) => {
      for (const question of ask.questions) this.#byQuestion.delete(key(ask.conversation_id, question.question_id));
    },
    noDisposeOnSet: true,
  });

  /** A slow read may bring what was true before the last change: it must not hide that change from who waits. */
  set(ask: Ask): void {
    const id = key(ask.conversation_id, ask.tool_use_id);
    if ((this.#asks.peek(id)?.version ?? 0) > ask.version) return;
    const size = bytesOf(ask, MOST_BYTES_EACH);
    if (size > MOST_BYTES_EACH) return void this.#asks.delete(id);
    this.#asks.set(id, ask, { size });
    for (const question of ask.questions) this.#byQuestion.set(key(ask.conversation_id, question.question_id), id);
  }

  get(conversation_id: string, tool_use_id: string): Ask | undefined {
    return this.#asks.get(key(conversation_id, tool_use_id));
  }

  ofQuestion(conversation_id: string, question_id: string): Ask | undefined {
    const id = this.#byQuestion.get(key(conversation_id, question_id));
    return id === undefined ? undefined : this.#asks.get(id);
  }
}

function key(conversation_id: string, id: string): string {
  return `${conversation_id}\n${id}`;
}

/** About what a value takes in memory; stops counting where it is more than enough. */
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
