import type { Reply } from "../../lib/client.ts";
import type { AnswerInput } from "../../lib/protocol/answer.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { CONTRACT_LIMITS } from "../../lib/protocol/limits.ts";
import { api } from "../live/api.ts";
import { type InboxView, queryOf } from "./inbox-view.ts";

const PER_PAGE = 200;

/** The questions of a view that are like this one, loaded or not, page by page. */
export async function* alikeIn(view: InboxView, similar_key: string): AsyncGenerator<InboxItem[]> {
  let cursor: string | undefined;
  do {
    const query = { ...queryOf(view, Date.now()), similar: similar_key, limit: PER_PAGE, cursor };
    const page = await api.call("inbox", { query });
    yield page.items;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/** A question, and whether it can have the answer or got it. */
export type Recipient = { item: InboxItem; result: Reply<"answerSimilar">["results"][number] };

/**
 * Gives these items the answers to `shown`, or without answers finds out which could get them. `onPart` gets the results as they
 * arrive.
 */
export async function answerAlike(
  { session_id, tool_use_id, content_hash }: AskView,
  items: readonly InboxItem[],
  onPart: (results: Recipient[]) => void,
  given?: { answers: Record<string, AnswerInput>; idempotencyKey: string },
): Promise<void> {
  for (let from = 0; from < items.length; from += CONTRACT_LIMITS.batchAnswers) {
    const part = items.slice(from, from + CONTRACT_LIMITS.batchAnswers);
    const inbox_item_ids = part.map(({ inbox_item_id }) => inbox_item_id);
    const body = { session_id, tool_use_id, content_hash, inbox_item_ids, ...(given && { answers: given.answers }) };
    const { results } = await api.call("answerSimilar", {
      body,
      ...(given && { idempotencyKey: given.idempotencyKey }),
    });
    onPart(part.flatMap((item, index) => (results[index] ? [{ item, result: results[index] }] : [])));
  }
}
