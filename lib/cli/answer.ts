import { randomUUID } from "node:crypto";
import { type Client, ClientError } from "../client.ts";
import type { AnswerInput } from "../protocol/answer.ts";
import type { AskView } from "../protocol/ask.ts";
import type { InboxItem } from "../protocol/inbox.ts";
import type { Question } from "../protocol/question.ts";
import { askTree, createAsker } from "./asker.ts";
import { type Asker, type Given, Left } from "./given.ts";
import { hubOf, keepTrying } from "./hub.ts";
import { End, EXIT, type Run, type Terminal } from "./terminal.ts";

const TRY_MS = 10_000;
const MOST = 50;

/** Lists what is pending anywhere and answers it: one after the other where somebody sits, else one. */
export const run: Run = async (terminal, [wanted]) => {
  const hub = hubOf(terminal);
  // Aborted when somebody else is faster.
  const gone = new AbortController();
  const asker = await createAsker(terminal, gone.signal);
  try {
    for (;;) {
      const { items } = await hub.call("inbox", { query: { limit: MOST } });
      const item = await pick(asker, items, wanted);
      if (!item) {
        terminal.say(wanted ? `Nothing is pending under ${wanted}.` : "Nothing is pending.");
        return wanted ? EXIT.badInput : EXIT.answered;
      }
      await answer(terminal, hub, asker, item, gone);
      if (wanted !== undefined || !terminal.interactive) return EXIT.answered;
    }
  } catch (error) {
    if (error instanceof Left)
      throw new End(EXIT.cancelled, `Not answered: the question stays open. ${error.message}`.trim());
    throw error;
  } finally {
    asker.close();
  }
};

async function pick(asker: Asker, items: InboxItem[], wanted: string | undefined): Promise<InboxItem | undefined> {
  if (wanted !== undefined)
    return items.find(({ tool_use_id, session_id }) => [tool_use_id, session_id].includes(wanted));
  if (items.length < 2) return items[0];
  const list: Question = {
    question_id: "pending",
    type: "multiple_choice",
    text: `${items.length} questions are pending. Which one?`,
    options: items.map(({ inbox_item_id, question, agent, title }) => ({
      id: inbox_item_id,
      label: question,
      description: [agent, title].filter(Boolean).join(" · "),
    })),
    required: true,
    allow_other: false,
  };
  const { chosen } = await asker.ask(list, "Inbox");
  return items.find(({ inbox_item_id }) => chosen.includes(inbox_item_id));
}

async function answer(
  terminal: Terminal,
  hub: Client,
  asker: Asker,
  item: InboxItem,
  gone: AbortController,
): Promise<void> {
  const { session_id, tool_use_id } = item;
  const read = (wait: number, signal?: AbortSignal) =>
    hub.call("readAsk", { params: { tool_use_id }, query: { session_id, wait }, ...(signal && { signal }) });
  const { ask } = await read(0);
  const done = new AbortController();
  void settledElsewhere(read, done.signal).then((settled) => settled && gone.abort());
  try {
    const answers = await giveAll(asker, ask);
    const body = { session_id, tool_use_id, content_hash: ask.content_hash, answers };
    const idempotencyKey = randomUUID();
    // Our own answer settles it too: that is not somebody else.
    done.abort();
    await keepTrying(() => hub.call("answer", { body, idempotencyKey }), { forMs: TRY_MS });
    terminal.say("Answered: the agent goes on.");
  } catch (error) {
    const overtaken = gone.signal.aborted || (error instanceof ClientError && error.code === "duplicate_answer");
    if (!overtaken) throw error;
    const { decided_by, outcome } = (await read(0)).ask.result ?? {};
    throw new End(EXIT.cancelled, `Already ${outcome ?? "answered"} by ${decided_by?.name} (${decided_by?.surface}).`);
  } finally {
    done.abort();
  }
}

async function giveAll(
  asker: Asker,
  { questions, round, total_rounds }: AskView,
): Promise<Record<string, AnswerInput>> {
  const earlier = new Map(
    questions.flatMap(({ question_id, answer: one }) => (one ? [[question_id, one.option_ids]] : [])),
  );
  const heading = `Round ${round}/${total_rounds}`;
  const given = await askTree(questions, (question) => asker.ask(question, heading), earlier);
  return Object.fromEntries(
    questions.flatMap((question) => {
      const one = given.get(question.question_id);
      return one ? [[question.question_id, answerInput(question, one)]] : [];
    }),
  );
}

function answerInput({ type }: Question, { chosen, text, yes }: Given): AnswerInput {
  if (type === "text") return text;
  if (type === "boolean") return yes;
  if (type === "checkbox") return text === null ? chosen : { answer: chosen, other: text };
  return text === null ? (chosen[0] ?? null) : { other: text };
}

/** True once the ask is settled; false where it no longer matters. */
async function settledElsewhere(
  read: (wait: number, signal: AbortSignal) => Promise<{ ask: AskView }>,
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) {
    try {
      const { ask } = await keepTrying(() => read(55, signal), { forMs: TRY_MS, signal });
      if (ask.result) return !signal.aborted;
    } catch {
      return false;
    }
  }
  return false;
}
