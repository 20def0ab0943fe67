import { randomUUID } from "node:crypto";
import type { Client } from "../../client.ts";
import { stripControls } from "../../domain/clean-text.ts";
import type { AskView } from "../../protocol/ask.ts";
import type { InboxItem } from "../../protocol/inbox.ts";
import { CONTRACT_LIMITS } from "../../protocol/limits.ts";
import { keepTrying } from "../terminal/keep-trying.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { submitted, TRY_MS } from "./answer-ask.ts";
import { askPerson } from "./ask-person.ts";
import type { Asker } from "./asker.ts";
import type { Answers } from "./form.ts";

/** Asks once, and sends the same answer to all of these similar questions. Resolves with how many took it. */
export async function answerTogether(
  terminal: Terminal,
  hub: Client,
  asker: Asker,
  items: InboxItem[],
): Promise<number> {
  const asks = await openAsks(hub, items);
  const [first] = asks;
  if (!first) return 0;
  const decision = await askPerson(terminal, asker, first, { canReply: false, copies: asks.length });
  if ("reply" in decision) return 0;
  let taken = 0;
  for (let from = 0; from < asks.length; from += CONTRACT_LIMITS.batchAnswers) {
    const part = asks.slice(from, from + CONTRACT_LIMITS.batchAnswers);
    const answers = part.map((ask) => ({
      session_id: ask.session_id,
      tool_use_id: ask.tool_use_id,
      content_hash: ask.content_hash,
      answers: submitted(ask, moved(first, ask, decision.answers)),
    }));
    const idempotencyKey = randomUUID();
    const { results } = await keepTrying(() => hub.call("answerMany", { body: { answers }, idempotencyKey }), {
      forMs: TRY_MS,
    });
    results.forEach((result, index) => {
      if (result.success) taken += 1;
      else terminal.say(`Not answered: ${stripControls(part[index]?.tool_use_id ?? "")}. ${result.error.message}`);
    });
  }
  terminal.say(`Answered ${taken} of ${items.length} questions.`);
  return taken;
}

/** Those that are still open; the others were answered since the list was read. */
async function openAsks(hub: Client, items: InboxItem[]): Promise<AskView[]> {
  const asks: AskView[] = [];
  for (const { session_id, tool_use_id } of items) {
    const { ask } = await hub.call("readAsk", { params: { tool_use_id }, query: { session_id } });
    if (!ask.result) asks.push(ask);
  }
  return asks;
}

/** The answers to one ask for a similar one: by position, because the ids differ. */
function moved(from: AskView, to: AskView, answers: Answers): Answers {
  const result: Answers = new Map();
  for (const [index, question] of to.questions.entries()) {
    const source = from.questions[index];
    const picked = source && answers.get(source.question_id);
    if (!picked) continue;
    const places = picked.option_ids.map((id) => source.options.findIndex((option) => option.id === id));
    // Yes and No are no options of the question.
    const option_ids = places.map((place, nth) => question.options[place]?.id ?? picked.option_ids[nth] ?? "");
    result.set(question.question_id, { ...picked, option_ids });
  }
  return result;
}
