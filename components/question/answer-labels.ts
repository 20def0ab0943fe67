import { QUESTION_TYPES } from "../../lib/domain/question-types.ts";
import type { Option, Question } from "../../lib/protocol/question.ts";

type Translate = (key: "yes" | "no") => string;

/** The choices that are not the agent's own words. */
const OWN_LABELS: Readonly<Record<string, "yes" | "no">> = { true: "yes", false: "no" };

/** What a person chooses from. Options are in the words of the agent, all other choices in the person's language. */
export function translatedChoices(question: Question, t: Translate): Option[] {
  const { choices, hasOptions } = QUESTION_TYPES[question.type];
  if (hasOptions) return choices(question);
  return choices(question).map((choice) => {
    const key = OWN_LABELS[choice.id];
    return key ? { ...choice, label: t(key) } : choice;
  });
}

/** The labels of the chosen options, as the person reads them. */
export function labelsOf(question: Question, option_ids: readonly string[], t: Translate): string[] {
  return translatedChoices(question, t)
    .filter(({ id }) => option_ids.includes(id))
    .map(({ label }) => label);
}
