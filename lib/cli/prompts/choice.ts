import { styleText } from "node:util";
import { isCancel, MultiSelectPrompt, SelectPrompt } from "@clack/core";
import {
  limitOptions,
  S_CHECKBOX_ACTIVE,
  S_CHECKBOX_INACTIVE,
  S_CHECKBOX_SELECTED,
  S_RADIO_ACTIVE,
  S_RADIO_INACTIVE,
} from "@clack/prompts";
import { framed, type Streams } from "./frame.ts";

export type Choice = { value: string; label: string; hint?: string };

type ChoiceOptions = Streams & { message: string; choices: Choice[]; initial: string[]; required?: boolean };

/** One of several, by arrow keys or number; undefined where the person wants out. */
export async function chooseOne({ message, choices, initial, ...streams }: ChoiceOptions): Promise<string | undefined> {
  const { output } = streams;
  const prompt = new SelectPrompt<Choice>({
    ...given(streams),
    options: choices,
    initialValue: initial[0],
    render() {
      const { state, error } = this;
      const line = (choice: Choice, active: boolean) =>
        row(choice, choices, active, active ? styleText("green", S_RADIO_ACTIVE) : styleText("dim", S_RADIO_INACTIVE));
      const done = [choices[this.cursor]?.label ?? ""];
      const body = state === "submit" ? done : state === "cancel" ? [] : visible(choices, this.cursor, line, output);
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

/** Any number of several; a number marks or unmarks. */
export async function chooseMany(options: ChoiceOptions): Promise<string[] | undefined> {
  const { message, choices, initial, required = false, ...streams } = options;
  const { output } = streams;
  const prompt = new MultiSelectPrompt<Choice>({
    ...given(streams),
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
      const body = state === "submit" ? done : state === "cancel" ? [] : visible(choices, this.cursor, line, output);
      return framed({
        output,
        state,
        message,
        body,
        hint: "Space or a number marks, Enter sends. Esc to leave.",
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

function given({ input, output, signal }: Streams) {
  return { input, output, ...(signal && { signal }) };
}

function row(choice: Choice, choices: Choice[], active: boolean, mark: string): string {
  const number = `${choices.indexOf(choice) + 1}. `;
  const hint = choice.hint ? styleText("dim", ` — ${choice.hint}`) : "";
  return `${mark} ${number}${active ? styleText("bold", choice.label) : choice.label}${hint}`;
}

function visible(
  options: Choice[],
  cursor: number,
  style: (choice: Choice, active: boolean) => string,
  output: Streams["output"],
): string[] {
  return limitOptions({ options, cursor, style, output, columnPadding: 3, rowPadding: 4 });
}

/** Where there are more than nine, `1` and then `2` is twelve. */
function onNumber(
  prompt: { on: (event: "key", listener: (key: string | undefined) => void) => void },
  choices: Choice[],
  pick: (index: number) => void,
): void {
  let typed = "";
  prompt.on("key", (key) => {
    if (!key || !/^\d$/.test(key)) {
      typed = "";
      return;
    }
    const longer = typed !== "" && Number(typed + key) <= choices.length;
    // What the first digit marked is taken back when the second makes another number of it.
    if (longer) pick(Number(typed) - 1);
    typed = longer ? typed + key : key;
    const index = Number(typed) - 1;
    if (index >= 0 && index < choices.length) pick(index);
    else typed = "";
  });
}
