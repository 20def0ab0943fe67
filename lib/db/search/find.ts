import type { Database } from "../database.ts";
import { Query } from "../query.ts";
import type { Params } from "../statement.ts";

// Finding words in texts. A full-text index of three characters at a time gives the candidates; the text itself decides.

/** More matches than this are not collected: the lists are then read in their own order, and enough are soon found. */
export const MANY = 10_000;
/** How far back a search goes for what the index cannot find. */
const LATEST = 100_000;
/** The index of PostgreSQL has no other characters. */
const HAS_WORD = /[\p{L}\p{N}]/u;
/** Three characters each; the text itself decides anyway. */
const MAX_TRIGRAMS = 16;

/** What a search has found among settled items: their numbers, or a condition to test each text by. */
export type Found = { seqs: number[] } | { test: string; params: Params };

export async function findSettled(db: Database, words: readonly string[]): Promise<Found> {
  const { test, params } = contains(db.kind, "t.text", words);
  const indexed = words.filter((word) => [...word].length >= 3 && (db.kind === "sqlite" || HAS_WORD.test(word)));
  if (indexed.length === 0) return { test: `${test} and e.seq > (select seq from search_state) - ${LATEST}`, params };
  const query = db.kind === "sqlite" ? matchSqlite(test) : matchPostgres(indexed.length, test);
  const rows = await db.readAside(query, {
    ...params,
    ...(db.kind === "sqlite" ? { match: matchOf(indexed) } : patternsOf(indexed)),
    limit: MANY + 1,
  });
  return rows.length > MANY ? { test, params } : { seqs: rows.map((row) => row.seq) };
}

/** A condition that a text contains every word. */
export function contains(kind: Database["kind"], text: string, words: readonly string[], name = "word") {
  const position = kind === "sqlite" ? "instr" : "strpos";
  return {
    test: words.map((_, index) => `${position}(${text}, @${name}${index}) > 0`).join(" and "),
    params: Object.fromEntries(words.map((word, index) => [`${name}${index}`, word])),
  };
}

/** Rows with these numbers, of any number. */
export function numbersIn(kind: Database["kind"], seqs: number[]): { sql: string; params: Params } {
  return kind === "sqlite"
    ? { sql: "select value as seq from json_each(@seqs)", params: { seqs: JSON.stringify(seqs) } }
    : { sql: "select unnest(@seqs::int[]) as seq", params: { seqs } };
}

type Numbered = { seq: number };

function matchSqlite(test: string): Query<Params, Numbered> {
  return new Query(
    `select t.seq from search_index cross join search_text t on t.seq = search_index.rowid
     where search_index match @match and ${test} limit @limit`,
  );
}

function matchPostgres(words: number, test: string): Query<Params, Numbered> {
  const likes = Array.from({ length: words }, (_, index) => `t.text like @like${index}`).join(" and ");
  return new Query(`select t.seq from search_text t where t.settled and ${likes} and ${test} limit @limit`);
}

function matchOf(words: readonly string[]): string {
  const trigrams = new Set(words.flatMap(trigramsOf));
  return [...trigrams].map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(" AND ");
}

/** Of a long word, some from all over it. */
function trigramsOf(word: string): string[] {
  const characters = [...word];
  const all = characters.slice(2).map((_, index) => characters.slice(index, index + 3).join(""));
  const step = Math.max(1, Math.ceil(all.length / MAX_TRIGRAMS));
  return all.filter((_, index) => index % step === 0);
}

function patternsOf(words: readonly string[]): Params {
  const escaped = words.map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`);
  return Object.fromEntries(escaped.map((pattern, index) => [`like${index}`, pattern]));
}
