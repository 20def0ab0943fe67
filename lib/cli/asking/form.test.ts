import { expect, test } from "vitest";
import type { Question } from "../../protocol/question.ts";
import type { Step } from "./asker.ts";
import { fillIn } from "./form.ts";

const question = (question_id: string, parent?: [string, string]): Question => ({
  question_id,
  type: "multiple_choice",
  text: `${question_id}?`,
  options: ["x", "y"].map((id) => ({ id, label: id })),
  required: true,
  allow_other: false,
  ...(parent && { parent: { question_id: parent[0], option_id: parent[1] } }),
});
const A = question("a");
const AX = question("ax", ["a", "x"]);
const B = question("b");

const pick = (id: string): Step => ({ option_ids: [id], text: null });

/** Follows a script of `question: step`, and records what was asked with which earlier answer. */
async function follow(questions: Question[], steps: Step[], changes: string[] = []) {
  const asked: string[] = [];
  const reviews: string[] = [];
  const answers = await fillIn(questions, {
    ask: async ({ question_id }, { before, isFirst }) => {
      asked.push([question_id, ...(before?.option_ids ?? []), ...(isFirst ? ["first"] : [])].join(" "));
      const step = steps.shift();
      if (!step) throw new Error("there is no step left");
      return step;
    },
    review: async (list, kept) => {
      reviews.push(list.map(({ question_id }) => `${question_id}=${kept.get(question_id)?.option_ids}`).join(" "));
      const change = changes.shift();
      return list.find(({ question_id }) => question_id === change);
    },
  });
  const given = answers === "reply" ? answers : [...answers].map(([id, { option_ids }]) => `${id}=${option_ids}`);
  return { asked, reviews, given };
}

test("follow-ups are asked only if their option was chosen", async () => {
  expect(await follow([A, AX, B], [pick("x"), pick("y"), pick("x")])).toMatchObject({
    asked: ["a first", "ax", "b"],
    given: ["a=x", "ax=y", "b=x"],
  });
  expect(await follow([A, AX, B], [pick("y"), pick("x")])).toMatchObject({ given: ["a=y", "b=x"] });
});

test("going back asks again with the earlier answer, and drops follow-ups that are no longer reached", async () => {
  const steps = [pick("x"), pick("y"), "back" as const, "back" as const, pick("y"), pick("x")];
  expect(await follow([A, AX, B], steps)).toEqual({
    asked: ["a first", "ax", "b", "ax y", "a x first", "b"],
    reviews: ["a=y b=x"],
    given: ["a=y", "b=x"],
  });
});

test("before the first question there is nothing to go back to", async () => {
  expect((await follow([A], ["back", pick("x")])).asked).toEqual(["a first", "a first"]);
});

test("a change in the review asks that question and its new follow-ups only, and is reviewed again", async () => {
  expect(await follow([A, AX, B], [pick("y"), pick("x"), pick("x"), pick("y")], ["a"])).toEqual({
    asked: ["a first", "b", "a y first", "ax"],
    reviews: ["a=y b=x", "a=x ax=y b=x"],
    given: ["a=x", "ax=y", "b=x"],
  });
});

test("a reply in words replaces all answers", async () => {
  expect((await follow([A, B], [pick("x"), "reply"])).given).toBe("reply");
});
