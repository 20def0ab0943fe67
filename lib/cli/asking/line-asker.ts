import { createInterface } from "node:readline";
import { type PickedAnswer, QUESTION_TYPES } from "../../domain/question-types.ts";
import type { Question, QuestionType } from "../../protocol/question.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { visibleText } from "../terminal/visible-text.ts";
import { type Asker, NO_ANSWER, PromptAbandoned } from "./asker.ts";
import { previewText } from "./preview-text.ts";
import type { Choice } from "./prompts/choice.ts";

type Lines = {
  /** The next line of input, without the spaces around it. */
  next: (hint: string) => Promise<string>;
  say: (text: string) => void;
};

/** A numbered list, and one line of input per answer. */
export function createLineAsker({ input, stderr, say }: Terminal): Asker {
  const reader = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const iterator = reader[Symbol.asyncIterator]();

  const next = async (hint: string): Promise<string> => {
    stderr.write(hint);
    const { done, value } = await iterator.next();
    if (done) throw new PromptAbandoned("The input ended before every question was answered.");
    say("");
    return value.trim();
  };

  return {
    ask: (question, { heading }) => {
      say(listed(question, heading));
      return PROMPTS[question.type]({ next, say }, question);
    },
    write: async (message) => (await next(`${visibleText(message)} `)) || undefined,
    pick: async (message, choices) => {
      say([message, ...choices.flatMap(listedChoice)].join("\n"));
      for (;;) {
        const choice = choices[Number(await next("Enter number: ")) - 1];
        if (choice) return choice.value;
        say(`Enter a number from 1 to ${choices.length}.`);
      }
    },
    onKey: () => () => {},
    close: () => reader.close(),
  };
}

type Prompt = (lines: Lines, question: Question) => Promise<PickedAnswer>;

/** How each type of question is asked line by line. */
const PROMPTS: Readonly<Record<QuestionType, Prompt>> = {
  multiple_choice: askChoice,
  checkbox: askChoice,
  text: (lines, question) =>
    insist(lines, question, "Enter your answer: ", (text) => (text ? { option_ids: [], text } : undefined)),
  boolean: (lines, question) =>
    insist(lines, question, "Enter y or n: ", (line) =>
      /^(y|yes|true|n|no|false)$/i.test(line) ? { option_ids: [String(/^[yt]/i.test(line))], text: null } : undefined,
    ),
};

async function askChoice(lines: Lines, question: Question): Promise<PickedAnswer> {
  const { isMany } = QUESTION_TYPES[question.type];
  const { options, required, allow_other } = question;
  const takeFirst = (why: string): PickedAnswer => {
    const option = options[0];
    lines.say(`${why}: the first option is taken, ${visibleText(option?.label ?? "")}.`);
    return { option_ids: option ? [option.id] : [], text: null };
  };
  const custom = allow_other ? " or 0 for custom" : "";
  const line = await lines.next(isMany ? `Enter numbers (e.g., 1,3)${custom}: ` : `Enter number${custom}: `);
  // Its number in the browser is the one after the options.
  if (allow_other && ["0", "other", String(options.length + 1)].includes(line.toLowerCase())) {
    const text = await lines.next("Enter your answer: ");
    return text === "" ? takeFirst("Nothing was entered") : { option_ids: [], text };
  }
  const numbers = line.split(",").map((part) => Number.parseInt(part, 10));
  const picked = isMany ? numbers : numbers.slice(0, 1);
  const option_ids = options.filter((_, index) => picked.includes(index + 1)).map(({ id }) => id);
  if (option_ids.length > 0) return { option_ids, text: null };
  if (line === "" && !required) return NO_ANSWER;
  return takeFirst(line === "" ? "Nothing was entered" : `${visibleText(line)} is not on the list`);
}

/** Asks until the line can be read. An empty line skips an optional question. */
async function insist(
  { next, say }: Lines,
  { required }: Question,
  hint: string,
  read: (line: string) => PickedAnswer | undefined,
): Promise<PickedAnswer> {
  for (;;) {
    const line = await next(hint);
    if (line === "" && !required) return NO_ANSWER;
    const picked = read(line);
    if (picked) return picked;
    say("An answer is needed.");
  }
}

function listedChoice({ label, hint }: Choice, index: number): string[] {
  return [`  ${index + 1}. ${visibleText(label)}`, ...(hint ? [`     ${visibleText(hint)}`] : [])];
}

function listed({ header, text, description, options, allow_other }: Question, heading: string): string {
  const rule = "─".repeat(40);
  return [
    "",
    ...(heading ? [visibleText(heading)] : []),
    `┌─ ${header ? `${visibleText(header)} ` : ""}${rule}`,
    ...visibleText(text)
      .split("\n")
      .map((line) => `│ ${line}`),
    ...(description ? [`│ ${visibleText(description)}`] : []),
    "│",
    ...options.flatMap((option, index) => [
      `│  ${index + 1}. ${visibleText(option.label)}`,
      ...(option.description ? [`│     ${visibleText(option.description)}`] : []),
      ...(option.preview ? indented(option.preview) : []),
    ]),
    ...(allow_other ? ["│  0. Other (custom input)"] : []),
    `└─${rule}`,
  ].join("\n");
}

function indented(preview: string): string[] {
  return previewText(preview)
    .trimEnd()
    .split("\n")
    .map((line) => `│       ${line}`);
}
