import { isJsonObject } from "../../domain/json.ts";
import { QUESTION_TYPES } from "../../domain/question-types.ts";
import { choicesIn } from "../../domain/shapes/claude-choices.ts";
import type { AnswerInput } from "../../protocol/answer.ts";
import type { AskView } from "../../protocol/ask.ts";
import type { TerminalAnswers } from "./transcript.ts";

/** The answers given in Claude Code's terminal, as answers to Parley's ask of the same questions. */
export function givenAnswers(
  texts: string[],
  { questions }: Pick<AskView, "questions">,
  { answers, annotations }: Pick<TerminalAnswers, "answers" | "annotations">,
): Record<string, AnswerInput> {
  return Object.fromEntries(
    questions.flatMap((question, index) => {
      const text = texts[index] ?? "";
      const answer = Object.hasOwn(answers, text) ? answers[text] : undefined;
      if (typeof answer !== "string" || answer === "") return [];
      const annotation = Object.hasOwn(annotations, text) ? annotations[text] : undefined;
      const notes = isJsonObject(annotation) ? annotation.notes : undefined;
      const labels = question.options.map(({ label }) => label);
      const { isMany, submit } = QUESTION_TYPES[question.type];
      const { chosen, other } = choicesIn(answer, labels, isMany);
      const option_ids = question.options.flatMap(({ id, label }) => (chosen.includes(label) ? [id] : []));
      const submitted = {
        ...submit({ option_ids, text: other === "" ? null : other }),
        ...(typeof notes === "string" && notes !== "" && { notes }),
      };
      return [[question.question_id, submitted]];
    }),
  );
}
