import { isCancel, MultiLinePrompt } from "@clack/core";
import { framed, type Streams } from "./frame.ts";

type WritingOptions = Streams & { message: string; initial?: string | undefined; required: boolean };

/** Asks for text of any number of lines, confirmed by pressing Enter twice. Undefined if the person quits. */
export async function write({
  message,
  initial,
  required,
  keyboard,
  output,
  signal,
}: WritingOptions): Promise<string | undefined> {
  const prompt = new WholeCharacters({
    input: keyboard.input,
    output,
    ...(signal && { signal }),
    ...(initial !== undefined && { initialValue: initial }),
    validate: (value) => (required && !value?.trim() ? "An answer is needed." : undefined),
    render() {
      const { state, error } = this;
      const body =
        state === "cancel" ? [] : (state === "submit" ? (this.value ?? "") : this.userInputWithCursor).split("\n");
      return framed({
        output,
        state,
        message,
        body,
        hint: "Enter starts a new line, twice confirms. Esc to leave.",
        error,
      });
    },
  });
  const value = await keyboard.during(() => prompt.prompt());
  return isCancel(value) || value === undefined ? undefined : value;
}

/**
 * The prompt counts UTF-16 units: it would write into the middle of 𠮷 or 😀. After each key this moves the cursor
 * next to such a character, and removes the half that backspace left.
 */
class WholeCharacters extends MultiLinePrompt {
  constructor(options: ConstructorParameters<typeof MultiLinePrompt>[0]) {
    super(options);
    this.on("key", (char, key) => {
      if (char && char.length > 1 && key?.name === undefined) this._cursor += char.length - 1;
      const text = this.userInput;
      const half = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
      if (!text.isWellFormed()) {
        const before = text.slice(0, this._cursor);
        this._cursor -= before.length - before.replace(half, "").length;
        this._setUserInput(text.replace(half, ""));
      } else if (/[\ud800-\udbff]$/.test(text.slice(0, this._cursor))) {
        this._cursor += key?.name === "left" ? -1 : 1;
      }
    });
  }
}
