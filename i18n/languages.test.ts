import { describe, expect, test } from "vitest";
import en from "./en.json" with { type: "json" };
import ja from "./ja.json" with { type: "json" };
import { languageOf } from "./languages.ts";
import zh from "./zh.json" with { type: "json" };

type Words = { [key: string]: string | Words };

/** Every text by its path, with the names that are filled into it. */
function texts(words: Words, path = ""): Array<[string, string[]]> {
  return Object.entries(words).flatMap(
    ([key, value]): Array<[string, string[]]> =>
      typeof value === "string" ? [[path + key, filled(value)]] : texts(value, `${path}${key}.`),
  );
}

function filled(text: string): string[] {
  return [...new Set([...text.matchAll(/[{<](\w+)(?=[},>])/g)].map((match) => match[1] ?? ""))].sort();
}

describe("the texts of the pages", () => {
  test.each([
    ["zh", zh],
    ["ja", ja],
  ])("are complete in %s, with the same placeholders", (_, words) => {
    expect(Object.fromEntries(texts(words))).toEqual(Object.fromEntries(texts(en)));
  });

  test("contain no other language: no Chinese or Japanese in English, nothing left in English", () => {
    for (const [path, text] of plain(en)) expect(text, path).not.toMatch(/\p{Script=Han}|\p{Script=Hiragana}/u);
    const same = plain(zh).filter(
      ([path, text]) => /[a-z]{4}/.test(text) && Object.fromEntries(plain(en))[path] === text,
    );
    expect(same.filter(([, text]) => !NAMES.includes(text))).toEqual([]);
  });
});

/** Names are the same in every language. */
const NAMES = [
  "curl",
  "Parley",
  "Claude Code",
  "Codex",
  "Cursor",
  "LangGraph",
  "JavaScript",
  "Python",
  "Slack",
  "Slack ID",
  "Webhook",
  "ntfy",
];

function plain(words: Words, path = ""): Array<[string, string]> {
  return Object.entries(words).flatMap(
    ([key, value]): Array<[string, string]> =>
      typeof value === "string" ? [[path + key, value]] : plain(value, `${path}${key}.`),
  );
}

test.each([
  ["ja", "en", "ja"],
  [undefined, "fr-FR,fr;q=0.9,zh-CN;q=0.8", "zh"],
  [undefined, "de", "en"],
  [undefined, null, "en"],
  ["xx", "ja-JP", "ja"],
  [undefined, "en;q=0.1,ja;q=0.2", "ja"],
] as const)("cookie %s and header %s give %s", (cookie, header, expected) => {
  expect(languageOf(cookie, header)).toBe(expected);
});
