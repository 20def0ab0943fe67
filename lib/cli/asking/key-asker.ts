import { stripControls } from "../../domain/clean-text.ts";
import { type PickedAnswer, QUESTION_TYPES } from "../../domain/question-types.ts";
import type { Question, QuestionType } from "../../protocol/question.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type Asker, NO_ANSWER, PromptAbandoned } from "./asker.ts";
import { type Choice, chooseMany, chooseOne } from "./prompts/choice.ts";
import type { Streams } from "./prompts/frame.ts";
import { write } from "./prompts/writing.ts";

/** Values that no option has: the id of an option is prefixed with `=`. */
const OTHER = "other";
const SKIP = "skip";

/** Arrow keys, space, Enter, numbers. Esc asks for confirmation before it leaves a question. */
export function createKeyAsker({ input, stderr: output }: Terminal): Asker {
  return {
    ask: (question, heading, signal) => {
      const { header, text, description, type } = question;
      const message = stripControls(
        [`${heading}${header ? ` · ${header}` : ""}`, text, ...(description ? [description] : [])].join("\n"),
      );
      return PROMPTS[type]({ input, output, signal }, question, message);
    },
    pick: async (message, choices) => {
      const value = await chooseOne({ input, output, message: stripControls(message), choices, initial: [] });
      if (value === undefined) throw new PromptAbandoned("");
      return value;
    },
    close: () => {},
  };
}

type Prompt = (streams: Streams, question: Question, message: string) => Promise<PickedAnswer>;

/** How each type of question is asked with keys. */
const PROMPTS: Readonly<Record<QuestionType, Prompt>> = {
  multiple_choice: askOne,
  checkbox: askMany,
  text: askText,
  boolean: askOne,
};

async function askOne(streams: Streams, question: Question, message: string): Promise<PickedAnswer> {
  const choices = choicesOf(question);
  const value = await insist(streams, () => chooseOne({ ...streams, message, choices, initial: defaultsOf(question) }));
  if (value === SKIP) return NO_ANSWER;
  if (value === OTHER) return { option_ids: [], text: await otherText(streams) };
  return { option_ids: [value.slice(1)], text: null };
}

async function askMany(streams: Streams, question: Question, message: string): Promise<PickedAnswer> {
  const { required } = question;
  // Marking nothing already means "no answer".
  const choices = choicesOf({ ...question, required: true });
  const initial = defaultsOf(question);
  const values = await insist(streams, () => chooseMany({ ...streams, message, choices, initial, required }));
  const option_ids = question.options.filter(({ id }) => values.includes(`=${id}`)).map(({ id }) => id);
  return { option_ids, text: values.includes(OTHER) ? await otherText(streams) : null };
}

async function askText(streams: Streams, question: Question, message: string): Promise<PickedAnswer> {
  const { required } = question;
  const initial = QUESTION_TYPES[question.type].defaultContent(question)?.text ?? undefined;
  const text = await insist(streams, () => write({ ...streams, message, required, initial }));
  return text.trim() === "" ? NO_ANSWER : { option_ids: [], text };
}

const otherText = (streams: Streams): Promise<string> =>
  insist(streams, () => write({ ...streams, message: "Other", required: true }));

/** Shows a prompt until there is an answer. Undefined means Esc: the person is asked to confirm that they want to leave. */
async function insist<Value>(streams: Streams, show: () => Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const value = await show();
    if (value !== undefined) return value;
    if (streams.signal?.aborted) throw new PromptAbandoned("");
    const message = "Leave without an answer?";
    const choices = [
      { value: "stay", label: "No, go on" },
      { value: "leave", label: "Yes, leave" },
    ];
    if ((await chooseOne({ ...streams, message, choices, initial: ["stay"] })) !== "stay")
      throw new PromptAbandoned("");
  }
}

/** Other comes last, and is always number 0. */
function choicesOf(question: Question): Choice[] {
  const options = QUESTION_TYPES[question.type].choices(question);
  const choices: Choice[] = options.map(({ id, label, description, preview }) => ({
    value: `=${id}`,
    label: stripControls(label),
    ...(description && { hint: stripControls(description) }),
    ...(preview && { preview: stripControls(preview) }),
  }));
  if (!question.required) choices.push({ value: SKIP, label: "No answer" });
  if (question.allow_other) choices.push({ value: OTHER, label: "Other", hint: "in your own words", isZero: true });
  return choices;
}

function defaultsOf(question: Question): string[] {
  const { chosen = [] } = QUESTION_TYPES[question.type].defaultContent(question) ?? {};
  return chosen.map(({ id }) => `=${id}`);
}
