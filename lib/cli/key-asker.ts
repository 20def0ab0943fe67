import type { Question } from "../protocol/question.ts";
import { type Asker, type Given, Left, NOTHING } from "./given.ts";
import { type Choice, chooseMany, chooseOne } from "./prompts/choice.ts";
import type { Streams } from "./prompts/frame.ts";
import { write } from "./prompts/writing.ts";
import { shown, type Terminal } from "./terminal.ts";

/** Values that no option has: an option's id stands behind a mark of its own. */
const OTHER = "other";
const SKIP = "skip";

/** Arrow keys, space, Enter, numbers. Esc asks before it leaves. */
export function createKeyAsker({ input, eyes }: Terminal, signal: AbortSignal | undefined): Asker {
  const streams: Streams = { input, output: eyes, signal };

  /** Shows it until there is an answer; undefined means Esc, which is asked back. */
  const insist = async <Value>(show: () => Promise<Value | undefined>): Promise<Value> => {
    for (;;) {
      const value = await show();
      if (value !== undefined) return value;
      if (signal?.aborted) throw new Left("");
      const message = "Leave without an answer?";
      const choices = [
        { value: "stay", label: "No, go on" },
        { value: "leave", label: "Yes, leave" },
      ];
      if ((await chooseOne({ ...streams, message, choices, initial: ["stay"] })) !== "stay") throw new Left("");
    }
  };
  const text = (message: string, required: boolean, initial?: string) =>
    insist(() => write({ ...streams, message, required, initial }));

  const one = async (question: Question, message: string): Promise<Given> => {
    const choices = choicesOf(question);
    if (!question.required) choices.push({ value: SKIP, label: "No answer" });
    const initial = question.options.filter((option) => option.default).map(({ id }) => `=${id}`);
    const value = await insist(() => chooseOne({ ...streams, message, choices, initial }));
    if (value === SKIP) return NOTHING;
    if (value === OTHER) return { ...NOTHING, text: await text("Other", true) };
    return { ...NOTHING, chosen: [value.slice(1)] };
  };

  const many = async (question: Question, message: string): Promise<Given> => {
    const initial = question.options.filter((option) => option.default).map(({ id }) => `=${id}`);
    const { required } = question;
    const choices = choicesOf(question);
    const values = await insist(() => chooseMany({ ...streams, message, choices, initial, required }));
    const chosen = question.options.filter(({ id }) => values.includes(`=${id}`)).map(({ id }) => id);
    return { ...NOTHING, chosen, text: values.includes(OTHER) ? await text("Other", true) : null };
  };

  return {
    ask: async (question, heading) => {
      const message = [
        heading,
        shown(question.text),
        ...(question.description ? [shown(question.description)] : []),
      ].join("\n");
      if (question.type === "multiple_choice") return one(question, message);
      if (question.type === "checkbox") return many(question, message);
      if (question.type === "boolean") return yesOrNo(await one(asChoice(question), message));
      const initial = typeof question.default === "string" ? question.default : undefined;
      const written = await text(message, question.required, initial);
      return written.trim() === "" ? NOTHING : { ...NOTHING, text: written };
    },
    close: () => {},
  };
}

function choicesOf({ options, allow_other }: Question): Choice[] {
  const choices: Choice[] = options.map(({ id, label, description }) => ({
    value: `=${id}`,
    label: shown(label),
    ...(description && { hint: shown(description) }),
  }));
  return allow_other ? [...choices, { value: OTHER, label: "Other", hint: "in your own words" }] : choices;
}

function asChoice(question: Question): Question {
  const options = [
    { id: "true", label: "Yes", default: question.default === true },
    { id: "false", label: "No", default: question.default === false },
  ];
  return { ...question, options };
}

function yesOrNo({ chosen: [id] }: Given): Given {
  return id === undefined ? NOTHING : { ...NOTHING, yes: id === "true" };
}
