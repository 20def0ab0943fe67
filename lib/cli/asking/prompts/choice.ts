import { styleText } from "node:util";
import { isCancel, MultiSelectPrompt, SelectPrompt, wrapTextWithPrefix } from "@clack/core";
import {
  limitOptions,
  S_CHECKBOX_ACTIVE,
  S_CHECKBOX_INACTIVE,
  S_CHECKBOX_SELECTED,
  S_RADIO_ACTIVE,
  S_RADIO_INACTIVE,
} from "@clack/prompts";
import { framed, type Streams } from "./frame.ts";

export type Choice = {
  value: string;
  label: string;
  hint?: string;
  /** Shown below the list while the choice is active. */
  preview?: string;
  /** Has the number 0, whatever its position. */
  isZero?: boolean;
};

type ChoiceOptions = Streams & { message: string; choices: Choice[]; initial: string[]; required?: boolean };

/** Asks for one choice, by arrow keys or number. Undefined if the person quits. */
export async function chooseOne({ message, choices, initial, ...streams }: ChoiceOptions): Promise<string | undefined> {
  const { output } = streams;
  const around = { message, output };
  const prompt = new SelectPrompt<Choice>({
    ...promptOptions(streams),
    options: choices,
    initialValue: initial[0],
    render() {
      const { state, error } = this;
      const line = (choice: Choice, active: boolean) =>
        row(choice, choices, active, active ? styleText("green", S_RADIO_ACTIVE) : styleText("dim", S_RADIO_INACTIVE));
      const done = [choices[this.cursor]?.label ?? ""];
      const body = state === "submit" ? done : state === "cancel" ? [] : visible(choices, this.cursor, line, around);
      return framed({ output, state, message, body, hint: "↑↓ or a number, then Enter. Esc to leave.", error });
    },
  });
  onNumber(prompt, choices, (index) => {
    prompt.cursor = index;
    prompt.value = choices[index]?.value;
  });
  const value = await prompt.prompt();
  return isCancel(value) ? undefined : String(value);
}

/** Asks for any number of choices; a number marks or unmarks. Undefined if the person quits. */
export async function chooseMany(options: ChoiceOptions): Promise<string[] | undefined> {
  const { message, choices, initial, required = false, ...streams } = options;
  const { output } = streams;
  const around = { message, output };
  const prompt = new MultiSelectPrompt<Choice>({
    ...promptOptions(streams),
    options: choices,
    initialValues: initial,
    validate: (value) => (required && !value?.length ? "Choose at least one: space marks it." : undefined),
    render() {
      const { state, error } = this;
      const marked = this.value ?? [];
      const line = (choice: Choice, active: boolean) => {
        const box = marked.includes(choice.value)
          ? styleText("green", S_CHECKBOX_SELECTED)
          : active
            ? styleText("cyan", S_CHECKBOX_ACTIVE)
            : styleText("dim", S_CHECKBOX_INACTIVE);
        return row(choice, choices, active, box);
      };
      const labels = choices.filter(({ value }) => marked.includes(value)).map(({ label }) => label);
      const done = [labels.join(", ") || "none"];
      const body = state === "submit" ? done : state === "cancel" ? [] : visible(choices, this.cursor, line, around);
      return framed({
        output,
        state,
        message,
        body,
        hint: "Space or a number marks, then Enter. Esc to leave.",
        error,
      });
    },
  });
  onNumber(prompt, choices, (index) => {
    const marked: string[] = prompt.value ?? [];
    const value = choices[index]?.value ?? "";
    prompt.cursor = index;
    prompt.value = marked.includes(value) ? marked.filter((one) => one !== value) : [...marked, value];
  });
  const value = await prompt.prompt();
  return isCancel(value) || value === undefined ? undefined : [...value];
}

function promptOptions({ input, output, signal }: Streams) {
  return { input, output, ...(signal && { signal }) };
}

function row(choice: Choice, choices: Choice[], active: boolean, mark: string): string {
  const number = `${choice.isZero ? 0 : choices.indexOf(choice) + 1}. `;
  const hint = choice.hint ? styleText("dim", ` — ${choice.hint}`) : "";
  return `${mark} ${number}${active ? styleText("bold", choice.label) : choice.label}${hint}`;
}

const FRAME_ROWS = 3;
const PREVIEW_ROWS = 8;
/** However long the question is, some of its choices stay visible. */
const MIN_ROWS = 6;

/** As many choices as fit on the screen, and the preview of the active one. */
function visible(
  options: Choice[],
  cursor: number,
  style: (choice: Choice, active: boolean) => string,
  { message, output }: { message: string; output: Streams["output"] },
): string[] {
  const preview = previewOf(options[cursor]);
  const around = wrapTextWithPrefix(output, message, "   ").split("\n").length + preview.length + FRAME_ROWS;
  const rowPadding = Math.min(around, Math.max(output.rows - MIN_ROWS, FRAME_ROWS));
  return [...limitOptions({ options, cursor, style, output, columnPadding: 3, rowPadding }), ...preview];
}

function previewOf(choice: Choice | undefined): string[] {
  if (!choice?.preview) return [];
  const lines = choice.preview.trimEnd().split("\n");
  const more = lines.length - PREVIEW_ROWS;
  const kept = more > 0 ? [...lines.slice(0, PREVIEW_ROWS), `… ${more} more ${more === 1 ? "line" : "lines"}`] : lines;
  return ["", ...kept.map((line) => styleText("dim", `  ${line}`))];
}

/** With more than nine choices, `1` and then `2` is twelve. */
function onNumber(
  prompt: { on: (event: "key", listener: (key: string | undefined) => void) => void },
  choices: Choice[],
  pick: (index: number) => void,
): void {
  const indexOf = (number: string) => (number === "0" ? choices.findIndex(({ isZero }) => isZero) : Number(number) - 1);
  let typed = "";
  prompt.on("key", (key) => {
    if (!key || !/^\d$/.test(key)) {
      typed = "";
      return;
    }
    const longer = typed !== "" && typed !== "0" && Number(typed + key) <= choices.length;
    // Undo the pick of the first digit when the second one completes another number.
    if (longer) pick(indexOf(typed));
    typed = longer ? typed + key : key;
    const index = indexOf(typed);
    if (index >= 0 && index < choices.length) pick(index);
    else typed = "";
  });
}
