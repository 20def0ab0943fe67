import type { DecidedBy } from "../../protocol/actor.ts";
import type { Result } from "../../protocol/ask.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { checkedAnswer, QUESTION_TYPES } from "../question-types.ts";
import type { NormalisedAsk } from "./normalise.ts";
import { SHAPES } from "./shapes.ts";

/** The person who answered in an imported thread, which does not say who that was. */
export const IMPORTED_BY: DecidedBy = { kind: "person", name: "imported", surface: "import" };
const NOBODY: DecidedBy = { kind: "system", name: "parley", surface: "import" };

/** The outcome of an ask as an imported thread records it: exactly what the agent read, and the answers found in it. */
export function importedResult(
  ask: NormalisedAsk,
  recorded: { content: string; is_error: boolean; output: unknown } | undefined,
): Result {
  const cancelled: Pick<Result, "outcome" | "decided_by" | "answers"> = {
    outcome: "cancelled",
    decided_by: NOBODY,
    answers: [],
  };
  if (!recorded) {
    const content = "The thread was imported without an answer to this question. No answer was given.";
    return { ...cancelled, reason: "imported without an answer", output: null, content };
  }
  const { content } = recorded;
  const output = recorded.output ?? null;
  if (recorded.is_error) return { ...cancelled, reason: "imported as an error", output, content };

  const imported = { ask, output: isJsonObject(output) ? output : parsedObject(content), content };
  const answers = ask.questions.flatMap((question, index) => {
    const value = SHAPES[ask.shape].readBack(imported, index) ?? undefined;
    if (value === undefined) return [];
    return [checkedAnswer(question, QUESTION_TYPES[question.type].imported(question, value), null)];
  });
  const reply = repliedIn(imported.output);
  if (reply === undefined) return { outcome: "answered", decided_by: IMPORTED_BY, answers, output, content };
  // Where a shape has no place for a reply, the questions without an answer have it as theirs.
  const given = answers.filter(({ text }) => !text?.includes(reply));
  return { outcome: "replied", decided_by: IMPORTED_BY, reply, answers: given, output, content };
}

/** The words of a person who replied instead of choosing. Claude Code writes them as `response`, without any answers. */
function repliedIn(output: JsonObject | undefined): string | undefined {
  const words = output?.response ?? (output?.replied === true ? output.message : undefined);
  return typeof words === "string" && words !== "" ? words : undefined;
}

function parsedObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
