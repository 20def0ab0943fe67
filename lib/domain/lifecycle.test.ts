import { describe, expect, test } from "vitest";
import { SYSTEM } from "../protocol/actor.ts";
import { Output, Result } from "../protocol/ask.ts";
import { cancel, expire, reopen, sessionStatus } from "./lifecycle.ts";
import { answered, asked, PERSON, providers, refusal } from "./test-asks.ts";

const tree = {
  question_id: "auth",
  question_text: "Which way?",
  type: "multiple_choice",
  options: [
    { id: "oauth", label: "OAuth", default: true },
    { id: "jwt", label: "JWT" },
  ],
  follow_up_questions: {
    oauth: [providers],
    jwt: [{ question_id: "secret", question_text: "Secret?", type: "text", required: false }],
  },
};

describe("follow-ups", () => {
  test("are answered with their parent or one by one; all answers reach the agent together", () => {
    const together = answered(asked(tree), { auth: "oauth", providers: ["github"] });
    const half = answered(asked(tree), { auth: "oauth" });
    expect(half.status).toBe("pending");
    const oneByOne = answered(half, { providers: ["github"] });
    expect(oneByOne.result?.output).toEqual(together.result?.output);
    expect(together.result?.output).toEqual({
      question_id: "auth",
      answer: "oauth",
      follow_up_answers: { providers: ["github"] },
    });
  });

  test("cannot be answered unless they were triggered", () => {
    expect(refusal(() => answered(asked(tree), { auth: "jwt", providers: ["github"] }))).toBe("question_not_found");
    expect(refusal(() => answered(asked(tree), { providers: ["github"] }))).toBe("question_not_found");
  });

  test("do not delay the agent if they are optional", () => {
    const done = answered(asked(tree), { auth: "jwt" });
    expect(done.status).toBe("answered");
    expect(done.questions.map((question) => question.status)).toEqual(["answered", "inactive", "cancelled"]);
    expect(refusal(() => answered(done, { secret: "x" }))).toBe("question_closed");
    expect(refusal(() => answered(done, { providers: ["google"] }))).toBe("question_not_found");
  });
});

describe("the only moves", () => {
  const pending = asked(tree, 1_000);
  const settled = answered(asked(tree), { auth: "jwt" });
  const cancelled = cancel(asked(tree), "not now", PERSON, 7).ask;
  const timedOut = expire(asked(tree, 1_000), 1_000)?.ask;

  test("a settled ask accepts no second outcome, and says who was first", () => {
    expect(() => answered(settled, { auth: "oauth" })).toThrow(/ann already answered auth/);
    expect(() => cancel(settled, "late", PERSON, 9)).toThrow(/ann already answered/);
    expect(refusal(() => answered(cancelled, { auth: "jwt" }))).toBe("question_closed");
    expect(expire({ ...settled, deadline_at: 1 }, 9)).toBeUndefined();
  });

  test("only an ask that timed out can be reopened, and its old deadline is gone", () => {
    expect(refusal(() => reopen(pending, null, PERSON))).toBe("invalid_request");
    expect(refusal(() => reopen(settled, null, PERSON))).toBe("invalid_request");
    if (!timedOut) throw new Error("it was due");
    const again = reopen(timedOut, null, PERSON).ask;
    expect(again).toMatchObject({ status: "pending", deadline_at: null, result: null });
    expect(answered(again, { auth: "jwt" }).status).toBe("answered");
  });

  test("no ask times out early", () => {
    expect(expire(pending, 999)).toBeUndefined();
    expect(expire(asked(tree), 1e15)).toBeUndefined();
  });
});

describe("at the deadline", () => {
  test("defaults are used if the ask says so, and the agent is told that nobody answered", () => {
    const done = expire(asked({ ...tree, on_timeout: "default" }, 1_000), 2_000)?.ask;
    expect(done?.result).toMatchObject({ outcome: "timeout", decided_by: { kind: "default" } });
    expect(done?.result?.output).toEqual({
      question_id: "auth",
      answer: "oauth",
      follow_up_answers: { providers: ["google"] },
      nobody_answered: true,
    });
    expect(done?.result?.content).toMatch(/^Nobody answered in the time allowed/);
    expect(done?.questions.every((question) => question.answered === null)).toBe(true);
  });

  test("a single-choice question with several defaults uses only the first", () => {
    const options = ["a", "b"].map((id) => ({ id, label: id, default: true }));
    const ask = asked({ question_id: "q", question: "Which?", options, on_timeout: "default" }, 1);
    expect(expire(ask, 1)?.ask.result?.answers).toMatchObject([{ value: "a", option_ids: ["a"], labels: ["a"] }]);
  });

  test("a required question without a default leaves the whole ask without an answer", () => {
    const noDefault = {
      ...tree,
      on_timeout: "default",
      follow_up_questions: { oauth: [{ question_id: "x", question_text: "x?", type: "text" }] },
    };
    const done = expire(asked(noDefault, 1_000), 2_000)?.ask;
    expect(done?.result?.output).toMatchObject({ error: { code: "input_timeout" } });
    expect(done?.result?.content).toMatch(/There is no answer/);
  });

  test("an optional question is reported as unanswered", () => {
    const done = expire(asked({ ...providers, required: false }, 1_000), 1_000)?.ask;
    expect(done?.result).toMatchObject({ outcome: "timeout", output: { nobody_answered: true } });
  });
});

test("after a cancellation the agent is told why, and the result never looks like an answer", () => {
  const done = cancel(asked(tree), "wrong repository", PERSON, 7).ask;
  expect(done.result?.content).toBe("The question was cancelled by ann: wrong repository. No answer was given.");
  expect(cancel(asked(tree), "closed", SYSTEM, 7).ask.result?.decided_by.kind).toBe("system");
});

test("a conversation waits for input while an ask is open", () => {
  const row = { run_state: "active" as const, pending_asks: 0, closed_at: null };
  expect(sessionStatus(row)).toBe("active");
  expect(sessionStatus({ ...row, pending_asks: 1 })).toBe("waiting_input");
  expect(sessionStatus({ ...row, run_state: "interrupted", pending_asks: 1 })).toBe("interrupted");
  expect(sessionStatus({ ...row, closed_at: 1 })).toBe("closed");
});

test("every result has one of the forms in the contract", () => {
  const questions = { tool_use_id: "t", questions: [{ question: "x?", options: [{ label: "A" }] }] };
  const results = [
    answered(asked(tree), { auth: "oauth", providers: ["google"] }).result,
    answered(asked(questions), { t: { answer: "A", notes: "n" } }).result,
    cancel(asked(tree), "no", PERSON, 7).ask.result,
    expire(asked({ ...tree, on_timeout: "default" }, 1), 1)?.ask.result,
    expire(asked(tree, 1), 1)?.ask.result,
    expire(asked({ ...providers, required: false }, 1), 1)?.ask.result,
  ];
  for (const result of results)
    expect(Result.extend({ output: Output }).strict().safeParse(result).error).toBeUndefined();
});
