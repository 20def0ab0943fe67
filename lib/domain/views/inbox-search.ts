import { beginning } from "../../protocol/characters.ts";
import type { Question } from "../../protocol/question.ts";

const MOST = 4_000;

/** What a search of the inbox looks through: headers, questions and options, in lower case. */
export function searchText(questions: ReadonlyArray<Pick<Question, "header" | "text" | "options">>): string {
  const texts = questions.flatMap(({ header, text, options }) => [
    header ?? "",
    text,
    ...options.map((option) => option.label),
  ]);
  return beginning(texts.join("\n").toLowerCase(), MOST);
}

/** What a person typed, as it is looked for; empty: everything matches. */
export function searchTerm(q: string): string {
  return q.trim().toLowerCase();
}
