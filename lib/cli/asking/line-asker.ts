import { createInterface } from "node:readline";
import type { Question } from "../../protocol/question.ts";
import { shown, type Terminal } from "../terminal/terminal.ts";
import { type Asker, type Given, Left, NOTHING } from "./prompt-result.ts";
import type { Choice } from "./prompts/choice.ts";

/** A numbered list, and one line of input for each answer. */
export function createLineAsker({ input, eyes, say }: Terminal): Asker {
  const reader = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const lines = reader[Symbol.asyncIterator]();

  const nextLine = async (hint: string): Promise<string> => {
    eyes.write(hint);
    const { done, value } = await lines.next();
    if (done) throw new Left("The input ended before every question was answered.");
    say("");
    return value.trim();
  };

  const first = ({ options }: Question, why: string): Given => {
    const option = options[0];
    say(`${why}: the first option is taken, ${shown(option?.label ?? "")}.`);
    return { ...NOTHING, chosen: option ? [option.id] : [] };
  };

  const choose = async (question: Question): Promise<Given> => {
    const many = question.type === "checkbox";
    const custom = question.allow_other ? " or 0 for custom" : "";
    const line = await nextLine(many ? `Enter numbers (e.g., 1,3)${custom}: ` : `Enter number${custom}: `);
    if (question.allow_other && (line === "0" || line.toLowerCase() === "other")) {
      const text = await nextLine("Enter your answer: ");
      return text === "" ? first(question, "Nothing was entered") : { ...NOTHING, text };
    }
    const numbers = line.split(",").map((part) => Number.parseInt(part, 10));
    const picked = many ? numbers : numbers.slice(0, 1);
    const chosen = question.options.filter((_, index) => picked.includes(index + 1)).map(({ id }) => id);
    if (chosen.length > 0) return { ...NOTHING, chosen };
    if (line === "" && !question.required) return NOTHING;
    return first(question, line === "" ? "Nothing was entered" : `${shown(line)} is not on the list`);
  };

  const untilGiven = async (question: Question, hint: string, read: (line: string) => Given | undefined) => {
    for (;;) {
      const line = await nextLine(hint);
      if (line === "" && !question.required) return NOTHING;
      const given = read(line);
      if (given) return given;
      say("An answer is needed.");
    }
  };

  return {
    ask: async (question, heading) => {
      say(listed(question, heading));
      if (question.type === "text") {
        return untilGiven(question, "Enter your answer: ", (text) => (text ? { ...NOTHING, text } : undefined));
      }
      if (question.type !== "boolean") return choose(question);
      return untilGiven(question, "Enter y or n: ", (line) =>
        /^(y|yes|true|n|no|false)$/i.test(line) ? { ...NOTHING, yes: /^[yt]/i.test(line) } : undefined,
      );
    },
    pick: async (message, choices) => {
      say([message, ...choices.flatMap(listedChoice)].join("\n"));
      for (;;) {
        const choice = choices[Number(await nextLine("Enter number: ")) - 1];
        if (choice) return choice.value;
        say(`Enter a number from 1 to ${choices.length}.`);
      }
    },
    close: () => reader.close(),
  };
}

function listedChoice({ label, hint }: Choice, index: number): string[] {
  return [`  ${index + 1}. ${shown(label)}`, ...(hint ? [`     ${shown(hint)}`] : [])];
}

function listed({ header, text, description, options, allow_other }: Question, heading: string): string {
  const rule = "─".repeat(40);
  return [
    "",
    heading,
    `┌─ ${header ? `${shown(header)} ` : ""}${rule}`,
    ...shown(text)
      .split("\n")
      .map((line) => `│ ${line}`),
    ...(description ? [`│ ${shown(description)}`] : []),
    "│",
    ...options.flatMap((option, index) => [
      `│  ${index + 1}. ${shown(option.label)}`,
      ...(option.description ? [`│     ${shown(option.description)}`] : []),
      ...(option.preview ? indented(option.preview) : []),
    ]),
    ...(allow_other ? ["│  0. Other (custom input)"] : []),
    `└─${rule}`,
  ].join("\n");
}

function indented(preview: string): string[] {
  return shown(preview)
    .trimEnd()
    .split("\n")
    .map((line) => `│       ${line}`);
}
