import { choicesIn } from "../../domain/shapes/claude-choices.ts";
import type { AnswerInput } from "../../protocol/answer.ts";
import type { AskView } from "../../protocol/ask.ts";
import type { Ended } from "./transcript.ts";

type Given = Exclude<Ended, "declined">;

/** What a person gave in the terminal of Claude Code, as an answer to Parley's ask of the same questions. */
export function givenAnswers(
  texts: string[],
  { questions }: Pick<AskView, "questions">,
  { answers, annotations }: Given,
): Record<string, AnswerInput> {
  return Object.fromEntries(
    questions.flatMap((question, index) => {
      const text = texts[index] ?? "";
      const answer = Object.hasOwn(answers, text) ? answers[text] : undefined;
      if (typeof answer !== "string" || answer === "") return [];
      const { notes } = ((Object.hasOwn(annotations, text) && annotations[text]) || {}) as { notes?: unknown };
      const isMany = question.type === "checkbox";
      const labels = question.options.map(({ label }) => label);
      const { chosen, other } = choicesIn(answer, labels, isMany);
      const ids = question.options.flatMap(({ id, label }) => (chosen.includes(label) ? [id] : []));
      const given = {
        answer: isMany ? ids : (ids[0] ?? null),
        ...(other !== "" && { other }),
        ...(typeof notes === "string" && notes !== "" && { notes }),
      };
      return [[question.question_id, given]];
    }),
  );
}
