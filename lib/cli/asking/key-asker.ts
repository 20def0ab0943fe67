import { type PickedAnswer, QUESTION_TYPES } from "../../domain/question-types.ts";
import type { Question, QuestionType } from "../../protocol/question.ts";
import { holdKeyboard } from "../terminal/keyboard.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { visibleText } from "../terminal/visible-text.ts";
import { type Asker, type AskSettings, NO_ANSWER, PromptAbandoned, type Step } from "./asker.ts";
import { previewText } from "./preview-text.ts";
import { BACK, type Choice, chooseMany, chooseOne } from "./prompts/choice.ts";
import { chooseFiltered } from "./prompts/filtered.ts";
import type { Streams } from "./prompts/frame.ts";
import { write } from "./prompts/writing.ts";

/** Values that no option has: the id of an option is prefixed with `=`. */
const OTHER = "other";
const SKIP = "skip";

const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";

/** Arrow keys, space, Enter, numbers. Esc asks for confirmation before it leaves a question. */
export function createKeyAsker({ input, stderr: output }: Terminal): Asker {
  const keyboard = holdKeyboard(input);
  return {
    ask: (question, { heading, signal, before, ways = [] }) => {
      const { header, text, description, type } = question;
      const above = [heading, header].filter(Boolean).join(" · ");
      const message = visibleText([above, text, description].filter(Boolean).join("\n"));
      return PROMPTS[type]({ keyboard, output, signal, message, question, before, ways });
    },
    pick: async (text, choices, { filters, columns, signal } = {}) => {
      const streams = { keyboard, output, signal, message: visibleText(text), choices };
      const value = await (filters ? chooseFiltered({ ...streams, columns }) : chooseOne({ ...streams, initial: [] }));
      if (typeof value !== "string") throw new PromptAbandoned("");
      return value;
    },
    write: (message, signal) => write({ keyboard, output, signal, message: visibleText(message), required: true }),
    onKey: (heard) => {
      const stop = keyboard.listen(heard);
      output.write(HIDE_CURSOR);
      return () => {
        output.write(SHOW_CURSOR);
        stop();
      };
    },
    close: keyboard.release,
  };
}

type Prompt = Streams & {
  message: string;
  question: Question;
  before: PickedAnswer | undefined;
  ways: NonNullable<AskSettings["ways"]>;
};

/** How each type of question is asked with keys. */
const PROMPTS: Readonly<Record<QuestionType, (prompt: Prompt) => Promise<Step>>> = {
  multiple_choice: askOne,
  checkbox: askMany,
  text: askText,
  boolean: askOne,
};

async function askOne(prompt: Prompt): Promise<Step> {
  const { question, ...rest } = prompt;
  const choices = choicesOf(question);
  const initial = initialOf(prompt);
  const value = await insist(prompt, () => chooseOne({ ...rest, choices, initial, canGoBack: canGoBack(prompt) }));
  if (typeof value !== "string") return value.way;
  if (value === SKIP) return NO_ANSWER;
  return value === OTHER ? withText(prompt, []) : { option_ids: [value.slice(1)], text: null };
}

async function askMany(prompt: Prompt): Promise<Step> {
  const { question, ...rest } = prompt;
  const { required } = question;
  // Marking nothing already means "no answer".
  const choices = choicesOf({ ...question, required: true });
  const initial = initialOf(prompt);
  const values = await insist(prompt, () =>
    chooseMany({ ...rest, choices, initial, required, canGoBack: canGoBack(prompt) }),
  );
  if (!Array.isArray(values)) return values.way;
  const option_ids = question.options.filter(({ id }) => values.includes(`=${id}`)).map(({ id }) => id);
  return values.includes(OTHER) ? withText(prompt, option_ids) : { option_ids, text: null };
}

async function askText(prompt: Prompt): Promise<Step> {
  const { question, before, ...rest } = prompt;
  const byDefault = QUESTION_TYPES[question.type].defaultContent(question)?.text;
  const initial = before?.text ?? byDefault ?? undefined;
  const text = await insist(prompt, () => write({ ...rest, required: question.required, initial }));
  if (typeof text !== "string") return text.way;
  return text.trim() === "" ? NO_ANSWER : { option_ids: [], text };
}

/** The choice with the text of Other. */
async function withText(prompt: Prompt, option_ids: string[]): Promise<Step> {
  const { before, ...rest } = prompt;
  const initial = before?.text ?? undefined;
  const text = await insist(prompt, () => write({ ...rest, message: "Other", required: true, initial }));
  return typeof text === "string" ? { option_ids, text } : text.way;
}

const canGoBack = ({ ways }: Prompt): boolean => ways.includes("back");

type Way = { way: "back" | "reply" };

const WAYS = {
  back: { value: "back", label: "Go back to the previous question" },
  reply: { value: "reply", label: "Reply in words instead" },
} as const;

/** Shows a prompt until there is an answer. Undefined means Esc, and the person chooses where to go. */
async function insist<Value>(
  { ways, ...streams }: Prompt,
  show: () => Promise<Value | typeof BACK | undefined>,
): Promise<Value | Way> {
  for (;;) {
    const value = await show();
    if (value === BACK) return { way: "back" };
    if (value !== undefined) return value;
    if (streams.signal?.aborted) throw new PromptAbandoned("");
    const message = "Leave without an answer?";
    const choices = [
      { value: "stay", label: "No, go on" },
      ...ways.map((way) => WAYS[way]),
      { value: "leave", label: "Yes, leave it open" },
    ];
    const { keyboard, output, signal } = streams;
    const way = await chooseOne({ keyboard, output, signal, message, choices, initial: ["stay"] });
    if (way === "back" || way === "reply") return { way };
    if (way !== "stay") throw new PromptAbandoned("");
  }
}

/** Other has the number that it has in the browser, after the options; 0 picks it too. */
function choicesOf(question: Question): Choice[] {
  const options = QUESTION_TYPES[question.type].choices(question);
  const choices: Choice[] = options.map(({ id, label, description, preview }) => ({
    value: `=${id}`,
    label: visibleText(label),
    ...(description && { hint: visibleText(description) }),
    ...(preview && { preview: previewText(preview) }),
  }));
  if (question.allow_other) choices.push({ value: OTHER, label: "Other", hint: "in your own words", isZero: true });
  if (!question.required) choices.push({ value: SKIP, label: "No answer" });
  return choices;
}

/** What was picked before, otherwise the defaults. */
function initialOf({ question, before }: Prompt): string[] {
  if (before) return [...before.option_ids.map((id) => `=${id}`), ...(before.text === null ? [] : [OTHER])];
  const { chosen = [] } = QUESTION_TYPES[question.type].defaultContent(question) ?? {};
  return chosen.map(({ id }) => `=${id}`);
}
