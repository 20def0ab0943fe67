import { describe, expect, test } from "vitest";
import type { AskView } from "../../protocol/ask.ts";
import { DEFAULT_LIMITS } from "../../protocol/limits.ts";
import { createNormalise } from "../shapes/normalise.ts";
import { hitsIn, matches, searchText, searchWords } from "./search-text.ts";

/** All that the search reads of an ask. */
function textOf(input: object): string {
  const { questions } = createNormalise(DEFAULT_LIMITS)({ type: "text", ...input }, () => "toolu_1");
  const asked = questions.map((question) => ({ ...question, answer: null, answered_by: null }));
  const ask = { questions: asked, asked_by: { kind: "agent", name: "builder" } } as unknown as AskView;
  return searchText(ask, { agent: "builder", title: null });
}
const finds = (q: string, question_text: string) => matches(textOf({ question_text }), searchWords(q));

describe("a search finds", () => {
  test("whole words, and numbers that are the same", () => {
    const shard = (n: number) => `Shard ${n} of payments has 7${n} errors. Retry?`;
    expect([6, 7, 10, 12, 17, 70].filter((n) => finds("shard 7 payments", shard(n)))).toEqual([7]);
    expect(finds("payments shard 7", shard(7))).toBe(true);
    expect(finds("base migration", "Run the database migration?")).toBe(false);
  });

  test("the beginning of the word at the end, which someone may still be typing, unless a space ends it", () => {
    expect(finds("deploy pay", "Deploy payments?")).toBe(true);
    expect(finds("deploy pay ", "Deploy payments?")).toBe(false);
    expect(finds("pay deploy", "Deploy payments?")).toBe(false);
    expect(finds("retry 7", "Retry 70?")).toBe(false);
  });

  test("what is in quotes as it stands", () => {
    expect(finds('"shard 7" payments', "Payments: retry shard 7?")).toBe(true);
    expect(finds('"7 payments"', "Payments: retry shard 7?")).toBe(false);
    expect(finds("“retry shard”", "Payments: retry shard 7?")).toBe(true);
    expect(finds('"retry shar"', "Payments: retry shard 7?")).toBe(false);
    expect(finds('"retry   SHARD', "Payments: retry shard 7?")).toBe(true);
  });

  test("a phrase within one text only", () => {
    const options = [
      { id: "a", label: "Blue sky" },
      { id: "b", label: "Green tea" },
    ];
    const text = textOf({ type: "multiple_choice", question_text: "Which?", options });
    expect(matches(text, searchWords('"blue sky"'))).toBe(true);
    expect(matches(text, searchWords('"sky green"'))).toBe(false);
    expect(matches(text, searchWords("sky green tea"))).toBe(true);
  });

  test("signs as they are, and versions with their dots", () => {
    expect(finds("2.4", "Deploy 2.4.1?")).toBe(true);
    expect(finds("2.4", "Deploy 2.43?")).toBe(false);
    expect(finds("100%", "Roll out to 100%?")).toBe(true);
    expect(finds("--force", "Run git push --force?")).toBe(true);
  });

  test("words of scripts without spaces anywhere", () => {
    for (const q of ["部署", "署", "本番環境", "部署 本番", "api", "환경"])
      expect([q, finds(q, "部署到本番環境的api，환경을")]).toEqual([q, true]);
    expect(finds("ทดสอบ", "ต้องการทดสอบระบบหรือไม่")).toBe(true);
    expect(finds("京都", "東京の本番")).toBe(false);
  });
});

describe("the hits of a search in a text", () => {
  const hits = (q: string, text: string) => hitsIn(text, searchWords(q)).map(({ from, to }) => text.slice(from, to));

  test("are what was found, as the text has it", () => {
    expect(hits("shard 7", "Shard 7, shard 17 and Shard-7: 7?")).toEqual(["Shard", "shard", "Shard", "7", "7", "7"]);
    expect(hits('"shard 7"', "Shard 7, shard 17, shard\n7")).toEqual(["Shard 7", "shard\n7"]);
    expect(hits("dep", "Deploy or depart?")).toEqual(["Dep", "dep"]);
    expect(hits("部署 7", "部署 7 を部署")).toEqual(["部署", "部署", "7"]);
    expect(hits("full", "ＦＵＬＬ width")).toEqual(["ＦＵＬＬ"]);
    expect(hits("kg 5", "㎏ 5")).toEqual(["㎏", "5"]);
    expect(hits("", "Nothing")).toEqual([]);
  });
});
