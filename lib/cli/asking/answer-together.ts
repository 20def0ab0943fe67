import { randomUUID } from "node:crypto";
import type { Client, Reply } from "../../client.ts";
import { stripControls } from "../../domain/clean-text.ts";
import type { AnswerInput } from "../../protocol/answer.ts";
import type { AskView } from "../../protocol/ask.ts";
import type { InboxItem } from "../../protocol/inbox.ts";
import { CONTRACT_LIMITS } from "../../protocol/limits.ts";
import { keepTrying } from "../terminal/keep-trying.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { submitted, TRY_MS } from "./answer-ask.ts";
import { askPerson } from "./ask-person.ts";
import type { Asker } from "./asker.ts";

/** Asks once, and sends the same answer to all of these similar questions. Resolves with how many took it. */
export async function answerTogether(
  terminal: Terminal,
  hub: Client,
  asker: Asker,
  items: InboxItem[],
): Promise<number> {
  const shown = await firstOpen(hub, items);
  if (!shown) return 0;
  const answerable = await eachOf(hub, shown, items);
  report(terminal, answerable);
  const open = answerable.flatMap(({ item, result }) => (result.success ? [item] : []));
  if (open.length === 0) return 0;
  const decision = await askPerson(terminal, asker, shown, { canReply: false, copies: open.length });
  if ("reply" in decision) return 0;
  const answered = await eachOf(hub, shown, open, submitted(shown, decision.answers));
  report(terminal, answered);
  const taken = answered.filter(({ result }) => result.success).length;
  terminal.say(`Answered ${taken} of ${items.length} questions.`);
  return taken;
}

/** The first that nobody has answered since the list was read. */
async function firstOpen(hub: Client, items: InboxItem[]): Promise<AskView | undefined> {
  for (const { session_id, tool_use_id } of items) {
    const { ask } = await hub.call("readAsk", { params: { tool_use_id }, query: { session_id } });
    if (!ask.result) return ask;
  }
  return undefined;
}

type Each = { item: InboxItem; result: Reply<"answerSimilar">["results"][number] };

/** Gives each the answers, or without them finds out which could get them. */
async function eachOf(
  hub: Client,
  { session_id, tool_use_id, content_hash }: AskView,
  items: InboxItem[],
  answers?: Record<string, AnswerInput>,
): Promise<Each[]> {
  const idempotencyKey = randomUUID();
  const all: Each[] = [];
  for (let from = 0; from < items.length; from += CONTRACT_LIMITS.batchAnswers) {
    const part = items.slice(from, from + CONTRACT_LIMITS.batchAnswers);
    const inbox_item_ids = part.map(({ inbox_item_id }) => inbox_item_id);
    const body = { session_id, tool_use_id, content_hash, inbox_item_ids, ...(answers && { answers }) };
    const { results } = await keepTrying(() => hub.call("answerSimilar", { body, idempotencyKey }), { forMs: TRY_MS });
    all.push(...part.flatMap((item, index) => (results[index] ? [{ item, result: results[index] }] : [])));
  }
  return all;
}

function report(terminal: Terminal, each: Each[]): void {
  for (const { item, result } of each)
    if (!result.success)
      terminal.say(`Not answered: ${stripControls(item.tool_use_id)}. ${stripControls(result.error.message)}`);
}
