import type { AskView } from "../../protocol/ask.ts";
import { beginning } from "../../protocol/characters.ts";
import { cleanText } from "../clean-text.ts";
import { answerText } from "./answer-text.ts";

const MAX_LENGTH = 8_000;
const MAX_PART = 2_000;
const MAX_WORDS = 8;

/** Scripts that are written without spaces. Their words are short: many have two characters. */
const UNSPACED = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u30fc]";
const UNSPACED_RUNS = new RegExp(`${UNSPACED}+`, "gu");
const SHORT_UNSPACED = new RegExp(`^${UNSPACED}{1,2}$`, "u");

/**
 * Everything that people see of an ask, in the form in which words are compared. Long texts are cut. Full-text indexes are made of three characters at a time, so every character and every
 * pair of an unspaced script is repeated at the end as its own word: ` 部 部署 署 `.
 */
export function searchText(ask: AskView, { agent, title }: { agent: string; title: string | null }): string {
  const { questions, result } = ask;
  const given = questions.flatMap(({ answer, answered_by }) =>
    answer ? [answerText(answer), answer.notes, answered_by?.name] : [],
  );
  const asked = questions.flatMap(({ header, text }) => [header, text]);
  const options = questions.flatMap((question) =>
    question.options.flatMap(({ label, description }) => [label, description]),
  );
  const parts = [
    title,
    agent,
    ask.asked_by.name,
    result?.decided_by.name,
    result?.reason,
    result?.reply,
    ...asked,
    ...given,
    ...options,
  ];
  const text = fold(parts.flatMap((part) => (part ? [beginning(part, MAX_PART)] : [])).join("\n"));
  const grams = gramsOf(text);
  return grams.length === 0 ? text : `${text}\n ${grams.join(" ")} `;
}

/** What a text must contain to be found by a search, word by word; nothing if the search is empty. */
export function searchWords(q: string): string[] {
  const words = new Set(fold(q).split(/\s+/).filter(Boolean));
  return [...words].slice(0, MAX_WORDS).map((word) => (SHORT_UNSPACED.test(word) ? ` ${word} ` : word));
}

export function matches(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

/** Without differences of case and width. */
function fold(text: string): string {
  return beginning(cleanText(beginning(text, MAX_LENGTH)).normalize("NFKC").toLowerCase(), MAX_LENGTH);
}

function gramsOf(text: string): string[] {
  const grams = new Set<string>();
  for (const [run] of text.matchAll(UNSPACED_RUNS)) {
    const characters = [...run];
    characters.forEach((character, index) => {
      grams.add(character);
      const next = characters[index + 1];
      if (next !== undefined) grams.add(character + next);
    });
  }
  return [...grams];
}
