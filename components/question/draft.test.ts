import { describe, expect, test } from "vitest";
import {
  answersOf,
  choicesOf,
  choose,
  clear,
  firstDraft,
  isRecorded,
  isTouched,
  missing,
  note,
  OTHER,
  reachable,
  write,
} from "./draft.ts";
import { normalisedViews } from "./test-questions.ts";

const ids = (questions: Array<{ question_id: string }>) => questions.map(({ question_id }) => question_id);

const [strategy, provider, scopes, expiry] = normalisedViews({
  question_id: "strategy",
  question_text: "How do people sign in?",
  type: "multiple_choice",
  allow_other: true,
  options: [
    { id: "oauth", label: "OAuth" },
    { id: "jwt", label: "JWT" },
  ],
  follow_up_questions: {
    oauth: [
      {
        question_id: "provider",
        question_text: "Which provider?",
        type: "multiple_choice",
        options: [{ id: "github", label: "GitHub" }],
        follow_up_questions: {
          github: [
            {
              question_id: "scopes",
              question_text: "Which scopes?",
              type: "checkbox",
              required: false,
              options: [
                { id: "read", label: "Read", default: true },
                { id: "write", label: "Write" },
              ],
            },
          ],
        },
      },
    ],
    jwt: [{ question_id: "expiry", question_text: "How long?", type: "text", default: "1h" }],
  },
});
if (!strategy || !provider || !scopes || !expiry) throw new Error("the tree is not as it was written");
const questions = [strategy, provider, scopes, expiry];

describe("a draft", () => {
  test("begins with the defaults, and does not count as touched", () => {
    const draft = firstDraft(questions);
    expect(draft.scopes?.options).toEqual(["read"]);
    expect(draft.expiry?.text).toBe("1h");
    expect(isTouched(questions, draft)).toBe(false);
    expect(isTouched(questions, choose(draft, strategy, "jwt"))).toBe(true);
  });

  test("shows follow-ups under the chosen option, at any depth, and sends only what is reachable", () => {
    let draft = firstDraft(questions);
    expect(ids(reachable(questions, draft))).toEqual(["strategy"]);
    draft = choose(draft, strategy, "oauth");
    expect(ids(reachable(questions, draft))).toEqual(["strategy", "provider"]);
    draft = choose(draft, provider, "github");
    expect(ids(reachable(questions, draft))).toEqual(["strategy", "provider", "scopes"]);
    draft = choose(draft, strategy, "jwt");
    expect(ids(reachable(questions, draft))).toEqual(["strategy", "expiry"]);
    expect(answersOf(questions, draft)).toEqual({ strategy: { answer: "jwt" }, expiry: { answer: "1h" } });
    // What was hidden comes back as it was.
    draft = choose(draft, strategy, "oauth");
    expect(answersOf(questions, draft)).toEqual({
      strategy: { answer: "oauth" },
      provider: { answer: "github" },
      scopes: { answer: ["read"] },
    });
  });

  test("says what is missing until every reachable required question has an answer", () => {
    let draft = firstDraft(questions);
    expect(ids(missing(questions, draft))).toEqual(["strategy"]);
    draft = choose(draft, strategy, "oauth");
    expect(ids(missing(questions, draft))).toEqual(["provider"]);
    draft = choose(draft, provider, "github");
    expect(missing(questions, draft)).toEqual([]);
    expect(ids(missing(questions, write(draft, strategy, " ")))).toEqual(["strategy"]);
  });

  test("lets Other replace an option, keeps its text when deselected, and allows it next to several options", () => {
    let draft = write(firstDraft(questions), strategy, "passkeys");
    expect(answersOf(questions, draft)).toEqual({ strategy: { other: "passkeys" } });
    draft = choose(draft, strategy, "oauth");
    expect(answersOf(questions, draft).strategy).toEqual({ answer: "oauth" });
    expect(draft.strategy?.text).toBe("passkeys");
    draft = choose(draft, strategy, OTHER);
    expect(answersOf(questions, draft)).toEqual({ strategy: { other: "passkeys" } });
  });

  test("keeps several options in order, deselects one at a second press, and sends notes", () => {
    let draft = choose(firstDraft([scopes]), scopes, "write");
    draft = note(choose(choose(draft, scopes, "read"), scopes, "read"), scopes, "only these");
    expect(answersOf([{ ...scopes, parent: undefined }], draft)).toEqual({
      scopes: { answer: ["read", "write"], notes: "only these" },
    });
    expect(clear(draft, scopes).scopes?.options).toEqual([]);
  });

  test("does not ask again what was answered, and shows the follow-ups of that answer", () => {
    const answered = {
      ...strategy,
      answer: {
        question_id: "strategy",
        value: "oauth",
        option_ids: ["oauth"],
        labels: ["OAuth"],
        text: null,
        notes: null,
      },
    };
    expect(ids(reachable([answered, provider, scopes, expiry], firstDraft(questions)))).toEqual(["provider"]);
  });

  test("is recognised in the record, and distinguished from somebody else's answer", () => {
    const draft = note(write(firstDraft(questions), strategy, "passkeys "), strategy, "soon");
    const other = { question_id: "strategy", value: null, option_ids: [], labels: [], text: "passkeys", notes: "soon" };
    expect(isRecorded([{ ...strategy, answer: other }, provider, scopes, expiry], draft)).toBe(true);
    expect(isRecorded([{ ...strategy, answer: { ...other, text: "keys" } }, provider, scopes, expiry], draft)).toBe(
      false,
    );
    expect(isRecorded([strategy, provider, scopes, expiry], draft)).toBe(false);
    const jwt = { ...other, value: "jwt", option_ids: ["jwt"], text: null, notes: null };
    const both = choose(firstDraft(questions), strategy, "jwt");
    expect(isRecorded([{ ...strategy, answer: jwt }, provider, scopes, expiry], both)).toBe(false);
    const hour = { ...other, question_id: "expiry", value: "1h", text: "1h", notes: null };
    expect(isRecorded([{ ...strategy, answer: jwt }, provider, scopes, { ...expiry, answer: hour }], both)).toBe(true);
  });

  test("numbers choices as printed: Other is last, yes is 1 and no is 2", () => {
    expect(choicesOf(strategy)).toEqual(["oauth", "jwt", OTHER]);
    expect(choicesOf({ ...strategy, type: "boolean", options: [] })).toEqual(["true", "false"]);
  });
});
