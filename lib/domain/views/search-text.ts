import type { AskView } from "../../protocol/ask.ts";
import { beginning } from "../../protocol/characters.ts";
import { cleanText } from "../clean-text.ts";
import { answerText } from "./answer-text.ts";

const MAX_LENGTH = 8_000;
const MAX_PART = 2_000;
const MAX_WORDS = 8;

/** Scripts that are written without spaces. Their words are short: many have two characters. */
const UNSPACED =
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u30fc]";
const UNSPACED_RUNS = new RegExp(`${UNSPACED}+`, "gu");
const IS_UNSPACED = new RegExp(`^${UNSPACED}+$`, "u");
const SHORT_UNSPACED = new RegExp(`^${UNSPACED}{1,2}$`, "u");
/** A run of an unspaced script, a word, or any other character. */
const TOKENS = new RegExp(`${UNSPACED}+|(?:(?!${UNSPACED})[\\p{L}\\p{N}\\p{M}])+|\\S`, "gu");
/** What someone may still be typing. A number never means the beginning of another. */
const MAY_GO_ON = /\p{L}/u;
/** A phrase in quotes, which need not be closed, or a word. A quote with nothing behind it is a character like any other. */
const TERMS = /["“”]([^"“”]*[^"“”\s][^"“”]*)["“”]?|\S+/gu;

/**
 * Everything that people see of an ask, in the form in which words are compared: spaced (see `spaced`), one line for each
 * text. Long texts are cut. Full-text indexes are made of three characters at a time, so every character and every pair of an
 * unspaced script is repeated at the end as its own word: ` 部 部署 署 `.
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
  let left = MAX_LENGTH;
  const lines = parts.flatMap((part) => {
    if (!part || left <= 0) return [];
    const folded = fold(beginning(part, Math.min(left, MAX_PART)));
    left -= folded.length;
    return [spaced(tokensOf(folded))];
  });
  const text = lines.join("\n");
  const grams = gramsOf(text);
  return grams.length === 0 ? text : `${text}\n ${grams.join(" ")} `;
}

/**
 * What a text must contain to be found by a search, term by term; nothing if the search is empty. A term is a word or a phrase
 * in quotes, and is found as a whole. Only the word at the end may be the beginning of one, because someone may be typing it.
 */
export function searchWords(q: string): string[] {
  const terms = [...beginning(cleanText(q), MAX_LENGTH).matchAll(TERMS)];
  const words = new Set(
    terms.flatMap(([term, phrase], index) => {
      const tokens = tokensOf(fold(phrase ?? term));
      const isTyped = index === terms.length - 1 && phrase === undefined && !/\s$/.test(q);
      return tokens.length === 0 ? [] : [wanted(tokens, isTyped)];
    }),
  );
  return [...words].slice(0, MAX_WORDS);
}

function wanted(tokens: readonly string[], isTyped: boolean): string {
  const [first = "", last = ""] = [tokens[0], tokens.at(-1)];
  const [only] = tokens.length === 1 ? tokens : [];
  if (only !== undefined && SHORT_UNSPACED.test(only)) return ` ${only} `;
  // A word of an unspaced script begins and ends anywhere.
  const isOpen = IS_UNSPACED.test(last) || (isTyped && MAY_GO_ON.test(last));
  return `${IS_UNSPACED.test(first) ? "" : " "}${tokens.join(" ")}${isOpen ? "" : " "}`;
}

/** The same words in the form that people typed, for the few texts that are not stored spaced. */
export function plainWords(q: string): string[] {
  return fold(q)
    .split(/[\s"“”]+/)
    .filter(Boolean)
    .slice(0, MAX_WORDS);
}

export function matches(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

/** Where a search occurs in a text that people see. */
export function hitsIn(text: string, words: readonly string[]): Array<{ from: number; to: number }> {
  let form = " ";
  /** The place in the text of each character of the form. */
  const places: Array<{ from: number; to: number }> = [{ from: 0, to: 0 }];
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    const folded = fold(token);
    const end = index + token.length;
    for (let at = 0; at < folded.length; at++)
      places.push(folded.length === token.length ? { from: index + at, to: index + at + 1 } : { from: index, to: end });
    places.push({ from: end, to: end });
    form += `${folded} `;
  }
  return words.flatMap((word) => {
    const bare = IS_UNSPACED.test(word.trim()) ? word.trim() : word;
    const hits: Array<{ from: number; to: number }> = [];
    for (let at = form.indexOf(bare); at >= 0; at = form.indexOf(bare, at + 1)) {
      const [first, last] = [at + (bare.length - bare.trimStart().length), at + bare.trimEnd().length - 1];
      hits.push({ from: places[first]?.from ?? 0, to: places[last]?.to ?? 0 });
    }
    return hits;
  });
}

function tokensOf(folded: string): string[] {
  return folded.match(TOKENS) ?? [];
}

/** With a space before and after every word and every sign, so that a whole word is a text with a space at both ends. */
function spaced(tokens: readonly string[]): string {
  return ` ${tokens.join(" ")} `;
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
