import { describe, expect, test } from "vitest";
import {
  type AskQuestion,
  answersOf,
  choicesOf,
  choose,
  chooseAll,
  clear,
  type Draft,
  firstDraft,
  isRecorded,
  isTouched,
  missing,
  note,
  noteQuestion,
  OTHER,
  reachable,
  write,
} from "./draft.ts";
import { askOf, normalisedViews } from "./test-questions.ts";

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
  test("begins with the defaults, untouched, unless the answer cannot be undone", () => {
    const root = (question: AskQuestion) => ({ ...question, parent: undefined });
    const ask = askOf([root(scopes), root(expiry)]);
    const draft = firstDraft(ask);
    expect(draft.scopes?.options).toEqual(["read"]);
    expect(draft.expiry?.text).toBe("1h");
    expect(isTouched(ask, draft)).toBe(false);
    expect(isTouched(ask, choose(draft, scopes, "write"))).toBe(true);
    expect(firstDraft({ ...ask, irreversible: true })).toEqual({});
    // Also next to a required question that has no default.
    expect(firstDraft(askOf(questions)).scopes?.options).toEqual(["read"]);
  });

  test("chooses all of the listed options, or none of them, in their order", () => {
    const many = { ...scopes, options: ["a", "b", "c"].map((id) => ({ id, label: id })) };
    const draft = chooseAll(choose({}, many, "b"), many, ["c", "a"], true);
    expect(draft.scopes?.options).toEqual(["a", "b", "c"]);
    expect(chooseAll(draft, many, ["a", "b"], false).scopes?.options).toEqual(["c"]);
  });

  test("has one note, which goes with the first answer if its own question is left open", () => {
    const [first, second] = [
      { ...scopes, parent: undefined },
      { ...expiry, parent: undefined },
    ];
    expect(noteQuestion([first, second], {})?.question_id).toBe("scopes");
    let draft = note({}, first, "as in the ticket");
    draft = write(draft, second, "2h");
    expect(noteQuestion([first, second], draft)?.question_id).toBe("scopes");
    expect(answersOf([first, second], draft)).toEqual({ expiry: { answer: "2h", notes: "as in the ticket" } });
    const answer = { question_id: "expiry", value: "2h", option_ids: [], labels: [], text: "2h" };
    expect(isRecorded([first, { ...second, answer: { ...answer, notes: "as in the ticket" } }], draft)).toBe(true);
    expect(isRecorded([first, { ...second, answer: { ...answer, notes: null } }], draft)).toBe(false);
  });

  test("shows follow-ups under the chosen option, at any depth, and sends only what is reachable", () => {
    let draft: Draft = {};
    expect(ids(reachable(questions, draft))).toEqual(["strategy"]);
    draft = choose(draft, strategy, "oauth");
    expect(ids(reachable(questions, draft))).toEqual(["strategy", "provider"]);
    draft = choose(draft, provider, "github");
    expect(ids(reachable(questions, draft))).toEqual(["strategy", "provider", "scopes"]);
    draft = choose(draft, strategy, "jwt");
    expect(ids(reachable(questions, draft))).toEqual(["strategy", "expiry"]);
    draft = write(choose(draft, scopes, "read"), expiry, "1h");
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
    let draft: Draft = {};
    expect(ids(missing(questions, draft))).toEqual(["strategy"]);
    draft = choose(draft, strategy, "oauth");
    expect(ids(missing(questions, draft))).toEqual(["provider"]);
    draft = choose(draft, provider, "github");
    expect(missing(questions, draft)).toEqual([]);
    expect(ids(missing(questions, write(draft, strategy, " ")))).toEqual(["strategy"]);
  });

  test("lets Other replace an option, keeps its text when deselected, and allows it next to several options", () => {
    let draft = write({}, strategy, "passkeys");
    expect(answersOf(questions, draft)).toEqual({ strategy: { other: "passkeys" } });
    draft = choose(draft, strategy, "oauth");
    expect(answersOf(questions, draft).strategy).toEqual({ answer: "oauth" });
    expect(draft.strategy?.text).toBe("passkeys");
    draft = choose(draft, strategy, OTHER);
    expect(answersOf(questions, draft)).toEqual({ strategy: { other: "passkeys" } });
  });

  test("keeps several options in order, deselects one at a second press, and sends notes", () => {
    let draft = choose(choose({}, scopes, "read"), scopes, "write");
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
    expect(ids(reachable([answered, provider, scopes, expiry], {}))).toEqual(["provider"]);
  });

  test("is recognised in the record, and distinguished from someone else's answer", () => {
    const draft = note(write({}, strategy, "passkeys "), strategy, "soon");
    const other = { question_id: "strategy", value: null, option_ids: [], labels: [], text: "passkeys", notes: "soon" };
    expect(isRecorded([{ ...strategy, answer: other }, provider, scopes, expiry], draft)).toBe(true);
    expect(isRecorded([{ ...strategy, answer: { ...other, text: "keys" } }, provider, scopes, expiry], draft)).toBe(
      false,
    );
    expect(isRecorded([strategy, provider, scopes, expiry], draft)).toBe(false);
    const jwt = { ...other, value: "jwt", option_ids: ["jwt"], text: null, notes: null };
    const both = write(choose({}, strategy, "jwt"), expiry, "1h");
    expect(isRecorded([{ ...strategy, answer: jwt }, provider, scopes, expiry], both)).toBe(false);
    const hour = { ...other, question_id: "expiry", value: "1h", text: "1h", notes: null };
    expect(isRecorded([{ ...strategy, answer: jwt }, provider, scopes, { ...expiry, answer: hour }], both)).toBe(true);
  });

  test("numbers choices as printed: Other is last, yes is 1 and no is 2", () => {
    expect(choicesOf(strategy)).toEqual(["oauth", "jwt", OTHER]);
    expect(choicesOf({ ...strategy, type: "boolean", options: [] })).toEqual(["true", "false"]);
  });
});
