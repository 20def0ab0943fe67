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
      const labels = question.options.map(({ label }) => label);
      const { chosen, other } = question.type === "checkbox" ? parted(answer, labels) : only(answer, labels);
      const given = {
        answer: question.type === "checkbox" ? chosen : (chosen[0] ?? null),
        ...(other !== "" && { other }),
        ...(typeof notes === "string" && notes !== "" && { notes }),
      };
      return [[question.question_id, given]];
    }),
  );
}

type Parted = { chosen: string[]; other: string };

function only(answer: string, labels: string[]): Parted {
  return labels.includes(answer) ? { chosen: [answer], other: "" } : { chosen: [], other: answer };
}

/** Labels are joined by commas and may hold some; what is no label is the person's own text, and stands last. */
function parted(answer: string, labels: string[]): Parted {
  const longestFirst = labels.toSorted((a, b) => b.length - a.length);
  const chosen: string[] = [];
  let rest = answer;
  while (rest !== "") {
    const label = longestFirst.find((one) => rest === one || rest.startsWith(`${one}, `));
    if (label === undefined) break;
    chosen.push(label);
    rest = rest.slice(label.length + 2);
  }
  return { chosen, other: rest };
}
