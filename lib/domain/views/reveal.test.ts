import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reveal } from "./reveal.ts";

const kinds = (text: string) => reveal(text).map(({ kind }) => kind);

describe("untrusted text", () => {
  test.each([
    ["a zero-width space", "pay\u200Bpal", ["plain", "hidden", "plain"]],
    ["a mark of direction", "\u202Etxt.exe", ["hidden", "plain"]],
    ["tag characters", "ok\u{E0041}", ["plain", "hidden"]],
    ["a filler that looks like a space", "a\u3164b", ["plain", "hidden", "plain"]],
    ["letters of two alphabets in one word", "p\u0430ypal.com", ["mixed", "plain"]],
    ["a long blank stretch", `yes${"\n".repeat(40)}and delete`, ["plain", "blank", "plain"]],
  ])("%s is made visible", (_, text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });

  test.each([
    "Delete build/?",
    "删除文件？",
    "ファイルを削除しますか",
    "👨‍👩‍👧 family",
    "❤️ heart",
    "क्‍ष",
    "Привет мир",
    "Ελλάδα",
    "a\n\nb",
  ])("%s is left unchanged", (text) => {
    expect(reveal(text)).toEqual([{ kind: "plain", text }]);
  });

  test("is the same text once its parts are joined", () => {
    const character = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("\u200B", "\u202E", "\n\n\n\n\n\n", " ".repeat(50), "а", "a"),
    );
    fc.assert(
      fc.property(fc.array(character), (parts) => {
        const text = parts.join("");
        expect(
          reveal(text)
            .map((part) => part.text)
            .join(""),
        ).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});
