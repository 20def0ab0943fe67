import { beginning } from "../../protocol/characters.ts";
import type { Question } from "../../protocol/question.ts";

const MAX_LENGTH = 4_000;

/** The text that the inbox searches: headers, questions and options, in lower case. */
export function searchText(questions: ReadonlyArray<Pick<Question, "header" | "text" | "options">>): string {
  const texts = questions.flatMap(({ header, text, options }) => [
    header ?? "",
    text,
    ...options.map((option) => option.label),
  ]);
  return beginning(texts.join("\n").toLowerCase(), MAX_LENGTH);
}

/** A search term in the form that is compared. An empty one matches everything. */
export function searchTerm(q: string): string {
  return q.trim().toLowerCase();
}
