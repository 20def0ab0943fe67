import type { Question } from "../../protocol/question.ts";
import { shown, type Terminal } from "../terminal/terminal.ts";
import { type Asker, type Given, Left, NOTHING } from "./prompt-result.ts";
import { type Choice, chooseMany, chooseOne } from "./prompts/choice.ts";
import type { Streams } from "./prompts/frame.ts";
import { write } from "./prompts/writing.ts";

/** Values that no option has: an option's id stands behind a mark of its own. */
const OTHER = "other";
const SKIP = "skip";

/** Arrow keys, space, Enter, numbers. Esc asks before it leaves a question. */
export function createKeyAsker({ input, eyes: output }: Terminal): Asker {
  return {
    ask: async (question, heading, signal) => {
      const streams = { input, output, signal };
      const { header, text, description } = question;
      const message = shown(
        [`${heading}${header ? ` · ${header}` : ""}`, text, ...(description ? [description] : [])].join("\n"),
      );
      if (question.type === "multiple_choice") return one(streams, question, message);
      if (question.type === "checkbox") return many(streams, question, message);
      if (question.type === "boolean") return yesOrNo(await one(streams, asChoice(question), message));
      const initial = typeof question.default === "string" ? question.default : undefined;
      const { required } = question;
      const written = await insist(streams, () => write({ ...streams, message, required, initial }));
      return written.trim() === "" ? NOTHING : { ...NOTHING, text: written };
    },
    pick: async (message, choices) => {
      const value = await chooseOne({ input, output, message: shown(message), choices, initial: [] });
      if (value === undefined) throw new Left("");
      return value;
    },
    close: () => {},
  };
}

async function one(streams: Streams, question: Question, message: string): Promise<Given> {
  const choices = choicesOf(question);
  const initial = question.options.filter((option) => option.default).map(({ id }) => `=${id}`);
  const value = await insist(streams, () => chooseOne({ ...streams, message, choices, initial }));
  if (value === SKIP) return NOTHING;
  if (value === OTHER) return { ...NOTHING, text: await otherText(streams) };
  return { ...NOTHING, chosen: [value.slice(1)] };
}

async function many(streams: Streams, question: Question, message: string): Promise<Given> {
  const initial = question.options.filter((option) => option.default).map(({ id }) => `=${id}`);
  const { required } = question;
  // Nothing marked already means "no answer".
  const choices = choicesOf({ ...question, required: true });
  const values = await insist(streams, () => chooseMany({ ...streams, message, choices, initial, required }));
  const chosen = question.options.filter(({ id }) => values.includes(`=${id}`)).map(({ id }) => id);
  return { ...NOTHING, chosen, text: values.includes(OTHER) ? await otherText(streams) : null };
}

const otherText = (streams: Streams): Promise<string> =>
  insist(streams, () => write({ ...streams, message: "Other", required: true }));

/** Shows a prompt until there is an answer. Undefined is Esc: the person is asked whether they mean it. */
async function insist<Value>(streams: Streams, show: () => Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const value = await show();
    if (value !== undefined) return value;
    if (streams.signal?.aborted) throw new Left("");
    const message = "Leave without an answer?";
    const choices = [
      { value: "stay", label: "No, go on" },
      { value: "leave", label: "Yes, leave" },
    ];
    if ((await chooseOne({ ...streams, message, choices, initial: ["stay"] })) !== "stay") throw new Left("");
  }
}

/** Other comes last, and is 0 wherever it is offered. */
function choicesOf({ options, required, allow_other }: Question): Choice[] {
  const choices: Choice[] = options.map(({ id, label, description, preview }) => ({
    value: `=${id}`,
    label: shown(label),
    ...(description && { hint: shown(description) }),
    ...(preview && { preview: shown(preview) }),
  }));
  if (!required) choices.push({ value: SKIP, label: "No answer" });
  if (allow_other) choices.push({ value: OTHER, label: "Other", hint: "in your own words", isZero: true });
  return choices;
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
