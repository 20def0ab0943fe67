import { isCancel, MultiSelectPrompt, SelectPrompt, type State, wrapTextWithPrefix } from "@clack/core";
import {
  limitOptions,
  S_CHECKBOX_ACTIVE,
  S_CHECKBOX_INACTIVE,
  S_CHECKBOX_SELECTED,
  S_RADIO_ACTIVE,
  S_RADIO_INACTIVE,
} from "@clack/prompts";
import { oneLine } from "../../terminal/columns.ts";
import { type Paint, paintFor } from "../../terminal/paint.ts";
import { framed, type Streams } from "./frame.ts";

export type Choice = {
  value: string;
  label: string;
  hint?: string;
  /** Shown below the list while the choice is active. */
  preview?: string;
  /** 0 picks it too, besides its own number. */
  isZero?: boolean;
  /** What typing finds it by; its label by default. */
  search?: string;
};

type ChoiceOptions = Streams & {
  message: string;
  choices: Choice[];
  initial: string[];
  required?: boolean;
  /** Whether `b` goes back. */
  canGoBack?: boolean;
};

/** The person pressed `b`. */
export const BACK = Symbol("back");

/** Asks for one choice, by arrow keys or number. Undefined if the person quits. */
export async function chooseOne(options: ChoiceOptions): Promise<string | typeof BACK | undefined> {
  const { message, choices, initial, canGoBack = false, ...streams } = options;
  const { output } = streams;
  const paint = paintFor(output);
  const around = { message, output };
  const back = { isPressed: false };
  const prompt = new SelectPrompt<Choice>({
    ...promptOptions(streams),
    options: choices,
    initialValue: initial[0],
    render() {
      const { state, error } = this;
      const line = radioRow(choices, paint);
      const done = [back.isPressed ? "back" : oneLine(choices[this.cursor]?.label ?? "")];
      const body = state === "submit" ? done : state === "cancel" ? [] : visible(choices, this.cursor, line, around);
      return framed({ output, state, message, body, hint: hint("↑↓ or a number, then Enter", canGoBack), error });
    },
  });
  if (canGoBack) onBack(prompt, back);
  onNumber(prompt, choices, (index) => {
    prompt.cursor = index;
    prompt.value = choices[index]?.value;
  });
  const value = await streams.keyboard.during(() => prompt.prompt());
  if (back.isPressed) return BACK;
  return isCancel(value) ? undefined : String(value);
}

/** Asks for any number of choices; a number marks or unmarks. Undefined if the person quits. */
export async function chooseMany(options: ChoiceOptions): Promise<string[] | typeof BACK | undefined> {
  const { message, choices, initial, required = false, canGoBack = false, ...streams } = options;
  const { output } = streams;
  const paint = paintFor(output);
  const around = { message, output };
  const back = { isPressed: false };
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
          ? paint("green", S_CHECKBOX_SELECTED)
          : active
            ? paint("cyan", S_CHECKBOX_ACTIVE)
            : paint("dim", S_CHECKBOX_INACTIVE);
        return row(choice, choices, box, active, paint);
      };
      const labels = choices.filter(({ value }) => marked.includes(value)).map(({ label }) => label);
      const done = [back.isPressed ? "back" : labels.join(", ") || "none"];
      const body = state === "submit" ? done : state === "cancel" ? [] : visible(choices, this.cursor, line, around);
      return framed({
        output,
        state,
        message,
        body,
        hint: hint("Space or a number marks, then Enter", canGoBack),
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
  if (canGoBack) onBack(prompt, back);
  const value = await streams.keyboard.during(() => prompt.prompt());
  if (back.isPressed) return BACK;
  return isCancel(value) || value === undefined ? undefined : [...value];
}

function promptOptions({ keyboard, output, signal }: Streams) {
  return { input: keyboard.input, output, ...(signal && { signal }) };
}

const hint = (keys: string, canGoBack: boolean): string => `${keys}.${canGoBack ? " b goes back." : ""} Esc to leave.`;

/** How each of these choices is shown, if one of them can be chosen. */
export function radioRow(choices: Choice[], paint: Paint): (choice: Choice, active: boolean) => string {
  return (choice, active) =>
    row(choice, choices, active ? paint("green", S_RADIO_ACTIVE) : paint("dim", S_RADIO_INACTIVE), active, paint);
}

function row(choice: Choice, choices: Choice[], mark: string, active: boolean, paint: Paint): string {
  const number = `${choices.indexOf(choice) + 1}. `.padStart(numberWidth(choices));
  const hint = choice.hint ? paint("dim", ` — ${choice.hint}`) : "";
  return `${mark} ${number}${active ? paint("bold", choice.label) : choice.label}${hint}`;
}

/** Columns that the mark and the number of a choice take. */
export const beforeLabels = (count: number): number => 2 + `${count}. `.length;

const numberWidth = (choices: Choice[]): number => `${choices.length}. `.length;

/** Ends the prompt when `b` is pressed. */
function onBack(
  prompt: { state: State; on: (event: "key", listener: (key: string | undefined) => void) => void },
  back: { isPressed: boolean },
): void {
  prompt.on("key", (key) => {
    if (key !== "b") return;
    back.isPressed = true;
    prompt.state = "submit";
  });
}

const FRAME_ROWS = 3;
const PREVIEW_ROWS = 8;
/** However long the question is, some of its choices stay visible. */
const MIN_ROWS = 6;

type Around = {
  message: string;
  output: Streams["output"];
  /** The header above labels that are aligned columns, if they are. */
  header?: string | undefined;
};

/** As many choices as fit on the screen, and the preview of the active one. */
export function visible(
  options: Choice[],
  cursor: number,
  style: (choice: Choice, active: boolean) => string,
  { message, output, header }: Around,
): string[] {
  const paint = paintFor(output);
  const preview = previewOf(options[cursor], paint);
  const first = header === undefined ? [] : [header];
  const above = wrapTextWithPrefix(output, message, "   ").split("\n").length + first.length;
  const around = above + preview.length + FRAME_ROWS;
  const rowPadding = Math.min(around, Math.max(output.rows - MIN_ROWS, FRAME_ROWS));
  return [...first, ...limitOptions({ options, cursor, style, output, columnPadding: 3, rowPadding }), ...preview];
}

function previewOf(choice: Choice | undefined, paint: Paint): string[] {
  if (!choice?.preview) return [];
  const lines = choice.preview.trimEnd().split("\n");
  const more = lines.length - PREVIEW_ROWS;
  const kept = more > 0 ? [...lines.slice(0, PREVIEW_ROWS), `… ${more} more ${more === 1 ? "line" : "lines"}`] : lines;
  return ["", ...kept.map((line) => paint("dim", `  │ ${line}`))];
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
