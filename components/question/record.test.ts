import { expect, test } from "vitest";
import { cardStates } from "../gallery/states.ts";
import { recordOf } from "./record.ts";

const states = cardStates(0);
const state = (name: string) => {
  const found = states[name];
  if (!found) throw new Error(`the gallery has no ${name}`);
  return found;
};

test("a follow-up is one level below the question that opened it", () => {
  expect(recordOf(state("answered")).map(({ question, depth }) => [question.question_id, depth])).toEqual([
    ["db", 0],
    ["version", 1],
    ["notes", 0],
  ]);
});

test("what nobody reached is left out, and a default counts as the answer", () => {
  const [ship] = recordOf(state("timeoutDefault"));
  expect(ship?.question.answer?.labels).toEqual(["No"]);
  const answered = state("answered");
  const questions = answered.questions.map((question) =>
    question.parent ? { ...question, status: "inactive" as const, answer: null } : question,
  );
  expect(recordOf({ ...answered, questions })).toHaveLength(2);
});
