import { AutocompletePrompt, isCancel } from "@clack/core";
import { oneLine } from "../../terminal/columns.ts";
import { paintFor } from "../../terminal/paint.ts";
import { beforeLabels, type Choice, radioRow, visible } from "./choice.ts";
import { framed, type Streams } from "./frame.ts";

type FilterOptions = Streams & {
  message: string;
  choices: Choice[];
  /** The header above labels that are aligned columns. */
  columns?: string | undefined;
};

/** Asks for one choice of a list of any length: typing filters it, and a number is the row with that number. */
export async function chooseFiltered({
  message,
  choices,
  columns,
  ...streams
}: FilterOptions): Promise<string | undefined> {
  const { keyboard, output, signal } = streams;
  const paint = paintFor(output);
  const numbers = new Map(choices.map((choice, index) => [choice, index + 1]));
  const texts = new Map(choices.map((choice) => [choice, (choice.search ?? choice.label).toLowerCase()]));
  const line = radioRow(choices, paint);
  const header = columns && `${" ".repeat(beforeLabels(choices.length))}${paint("dim", columns)}`;
  const prompt = new AutocompletePrompt<Choice>({
    input: keyboard.input,
    output,
    ...(signal && { signal }),
    options: choices,
    filter: (typed, choice) => {
      const number = /^\d+$/.test(typed) ? Number(typed) : 0;
      if (number > 0 && number <= choices.length) return numbers.get(choice) === number;
      return typed
        .toLowerCase()
        .split(/\s+/)
        .every((word) => texts.get(choice)?.includes(word));
    },
    validate: (value) => (value === undefined ? "Nothing matches." : undefined),
    render() {
      const { state, error, userInput, filteredOptions } = this;
      const active = filteredOptions.findIndex(({ value }) => value === this.focusedValue);
      const chosen = choices.find(({ value }) => value === this.value);
      const filter = userInput && [
        paint("cyan", this.userInputWithCursor),
        paint(
          "dim",
          filteredOptions.length === 0 ? "Nothing matches." : `${filteredOptions.length} of ${choices.length}`,
        ),
      ];
      const rows = [
        ...(filter ? [filter.join("  ")] : []),
        ...visible(filteredOptions, Math.max(active, 0), line, { message, output, header }),
      ];
      const body = state === "submit" ? [oneLine(chosen?.label ?? "")] : state === "cancel" ? [] : rows;
      const hint = "Type to filter. ↑↓ or a number, then Enter. Esc to leave.";
      return framed({ output, state, message, body, hint, error });
    },
  });
  const value = await keyboard.during(() => prompt.prompt());
  return isCancel(value) || value === undefined ? undefined : String(value);
}
