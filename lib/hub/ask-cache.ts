import { LRUCache } from "lru-cache";
import type { Ask } from "../domain/ask.ts";

/**
 * The asks that were touched last, so that the usual answer needs no read. It may be stale (another node, another
 * process): whoever decides on a cached ask is corrected by the compare-and-set and reads the rows.
 */
export class AskCache {
  readonly #byQuestion = new Map<string, string>();
  readonly #asks = new LRUCache<string, Ask>({
    max: 1_000,
    dispose: (ask) => {
      for (const question of ask.questions) this.#byQuestion.delete(key(ask.conversation_id, question.question_id));
    },
    noDisposeOnSet: true,
  });

  set(ask: Ask): void {
    const id = key(ask.conversation_id, ask.tool_use_id);
    this.#asks.set(id, ask);
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
