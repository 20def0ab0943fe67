import { type ParseErrorCode, visit } from "jsonc-parser";

/** Where and why a text is not JSON, as in "line 2, column 7: a comma is missing". Undefined if it is JSON. */
export function jsonProblem(text: string): string | undefined {
  try {
    // The first problem is the cause of the others, so reading ends there.
    visit(
      text,
      {
        onError: (error, _offset, _length, line, column) => {
          throw new FirstProblem(`line ${line + 1}, column ${column + 1}: ${WORDS[error]}`);
        },
      },
      { disallowComments: true },
    );
  } catch (error) {
    if (error instanceof FirstProblem) return error.message;
    if (error instanceof RangeError) return "it is nested too deeply";
    throw error;
  }
  return undefined;
}

class FirstProblem extends Error {}

const WORDS: Readonly<Record<ParseErrorCode, string>> = {
  1: "this is not a JSON value; text needs double quotes",
  2: "this is not a number",
  3: "the name of a field is expected, in double quotes",
  4: "a value is expected",
  5: "a colon is expected",
  6: "a comma is expected",
  7: "a closing } is expected",
  8: "a closing ] is expected",
  9: "there is more text after the end of the JSON",
  10: "JSON has no comments",
  11: "a comment does not end",
  12: "a text does not end; its closing double quote is missing",
  13: "this is not a number",
  14: "\\u needs four hexadecimal digits",
  15: "this is not an escape that JSON has",
  16: "a text cannot hold control characters; write them as \\n or \\u0007",
};
