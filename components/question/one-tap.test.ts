import { expect, test } from "vitest";
import { note } from "./draft.ts";
import { isOneTap } from "./one-tap.ts";
import { askOf, normalisedViews } from "./test-questions.ts";

const options = [
  { id: "a", label: "A" },
  { id: "b", label: "B" },
];
const asked = (input: Record<string, unknown>) => askOf(normalisedViews({ question_text: "Which?", ...input }));

test("one tap is the whole answer to one choice and nothing else", () => {
  expect(isOneTap(asked({ type: "boolean" }), {})).toBe(true);
  expect(isOneTap(asked({ type: "multiple_choice", options, allow_other: true }), {})).toBe(true);
});

test("a tap only chooses where there is more to see, to say or to lose", () => {
  const yesOrNo = asked({ type: "boolean" });
  const [question] = yesOrNo.questions;
  if (!question) throw new Error("no question");
  const preview = options.map((option) => ({ ...option, preview: "code" }));
  const follow_up_questions = { a: [{ question_text: "More?", type: "boolean" }] };
  expect(isOneTap(yesOrNo, note({}, question, "Because"))).toBe(false);
  expect(isOneTap({ ...yesOrNo, irreversible: true }, {})).toBe(false);
  expect(isOneTap(asked({ type: "multiple_choice", options: preview }), {})).toBe(false);
  expect(isOneTap(asked({ type: "multiple_choice", options, follow_up_questions }), {})).toBe(false);
  expect(isOneTap(asked({ type: "checkbox", options }), {})).toBe(false);
  expect(isOneTap(asked({ type: "text" }), {})).toBe(false);
});
