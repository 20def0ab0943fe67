import { describe, expect, test } from "vitest";
import type { AnswerInput } from "../protocol/answer.ts";
import { DEFAULT_LIMITS } from "../protocol/limits.ts";
import type { Ask } from "./ask.ts";
import { createNormalise } from "./shapes/normalise.ts";
import { answered, asked, problemsText } from "./test-asks.ts";

/** The examples from Parley's founding documents: each goes in unchanged and comes out in its shape. */
const normalise = createNormalise(DEFAULT_LIMITS);

const poemOrJoke = {
  type: "message",
  role: "assistant",
  content: [
    {
      type: "tool_use",
      id: "call_function_8kherxj202p7_1",
      name: "ask_user_question",
      input: {
        questions: [
          {
            header: "选择功能",
            multiSelect: true,
            options: [
              { description: "背诵一首经典唐诗", label: "背唐诗" },
              { description: "讲一个有趣的笑话", label: "讲笑话" },
              { description: "输出一个笑脸表情", label: "输出笑脸图标" },
            ],
            question: "请选择一个功能",
          },
        ],
      },
    },
  ],
};

const push = {
  type: "ask_user_question",
  question: {
    question_id: "auth_strategy_01",
    header: "确认操作",
    question_text: "确定要删除以下文件吗？",
    description: "请确认是否删除，这些操作不可撤销。",
    type: "multiple_choice",
    options: [
      { id: "option_a", label: "选项 A", description: "选项 A 的描述说明", default: false },
      { id: "option_b", label: "选项 B", description: "选项 B 的描述说明", default: true },
    ],
    required: true,
    follow_up_questions: {
      oauth2: [
        {
          question_id: "oauth_providers",
          question_text: "请选择要集成的 OAuth 提供商：",
          type: "checkbox",
          options: [
            { id: "google", label: "Google" },
            { id: "github", label: "GitHub" },
          ],
        },
      ],
    },
  },
  tool_use_id: "toolu_xxx",
  timestamp: "2026-02-19T10:00:00.000Z",
};

const authentication = {
  type: "message",
  role: "assistant",
  content: [
    {
      type: "tool_use",
      id: "toolu_xxx",
      name: "ask_user_question",
      input: {
        question_id: "auth_strategy_01",
        question_text: "您希望采用哪种身份验证策略？",
        description: "请选择最适合当前项目安全要求和用户体验的方案。",
        type: "multiple_choice",
        options: [
          {
            id: "oauth2",
            label: "OAuth 2.0 (推荐用于生产环境)",
            description: "支持第三方登录（Google/GitHub），符合现代安全标准。",
            default: true,
          },
          { id: "jwt_local", label: "JWT + 本地账号", description: "用户注册/登录使用邮箱密码，Token 存储在客户端。" },
          { id: "session_cookie", label: "Session + Cookie", description: "服务端维护会话状态，适合传统 Web 应用。" },
        ],
        required: true,
        follow_up_questions: {
          oauth2: [
            {
              question_id: "oauth_providers",
              question_text: "请选择要集成的 OAuth 提供商：",
              type: "checkbox",
              options: [
                { id: "google", label: "Google" },
                { id: "github", label: "GitHub" },
                { id: "microsoft", label: "Microsoft" },
              ],
            },
          ],
        },
      },
    },
  ],
};

const library = {
  type: "user_question",
  tool_use_id: "toolu_xxx",
  questions: [
    {
      question: "どのライブラリを使用しますか？",
      header: "Library",
      options: [
        { label: "React Query (推奨)", description: "サーバー状態管理に最適" },
        { label: "SWR", description: "軽量な代替" },
        { label: "Redux Toolkit Query", description: "Redux統合" },
      ],
      multiSelect: false,
    },
  ],
  timestamp: 1234567890,
};

describe("the questions shape", () => {
  test("a tool call inside a message becomes one checkbox question under the call's id", () => {
    const ask = asked(poemOrJoke);
    expect(ask.tool_use_id).toBe("call_function_8kherxj202p7_1");
    expect(ask.shape).toBe("questions");
    expect(ask.questions).toMatchObject([
      {
        question_id: "call_function_8kherxj202p7_1",
        type: "checkbox",
        text: "请选择一个功能",
        header: "选择功能",
        allow_other: true,
      },
    ]);
    expect(ask.questions[0]?.options.map((option) => option.id)).toEqual(["option_1", "option_2", "option_3"]);
  });

  test("the result is the sentence that the agent knows, with other text as the answer", () => {
    const ask = asked(poemOrJoke);
    const more = "再给一个多选框还是这些选项（我想了解多次对话这个过程）";
    const done = answered(ask, { [ask.tool_use_id]: { other: more } });
    expect(done.result?.content).toBe(
      `User has answered your questions: "请选择一个功能"="${more}". You can now continue with the user's answers in mind.`,
    );
    expect(done.result?.output).toEqual({
      questions: poemOrJoke.content[0]?.input.questions,
      answers: { 请选择一个功能: more },
    });
  });

  test("several labels are joined in the order of the options", () => {
    const ask = asked(poemOrJoke);
    const done = answered(ask, { [ask.tool_use_id]: ["输出笑脸图标", "背唐诗"] });
    expect(done.result?.output).toMatchObject({ answers: { 请选择一个功能: "背唐诗, 输出笑脸图标" } });
  });

  test("the index form numbers questions from 0 and options from 1, as printed", () => {
    const ask = asked(library);
    const done = answered(ask, { toolu_xxx: "1" }, true);
    expect(done.result?.answers[0]?.labels).toEqual(["React Query (推奨)"]);
    const other = answered(ask, { toolu_xxx: "other:カスタムテキスト" }, true);
    expect(other.result?.answers[0]).toMatchObject({ option_ids: [], text: "カスタムテキスト" });
  });
});

describe("the push and structured shapes", () => {
  test("a pushed question is accepted; a follow-up under a missing option is never reached", () => {
    const ask = asked(push);
    expect(ask.tool_use_id).toBe("toolu_xxx");
    expect(ask.questions.map((question) => [question.question_id, question.status])).toEqual([
      ["auth_strategy_01", "pending"],
      ["oauth_providers", "inactive"],
    ]);
    const done = answered(ask, { auth_strategy_01: "option_a" });
    expect(done.result?.output).toEqual({ question_id: "auth_strategy_01", answer: "option_a" });
    expect(done.result?.content).toBe('{"question_id":"auth_strategy_01","answer":"option_a"}');
  });

  test("the authentication question triggers its follow-up, and both answers reach the agent together", () => {
    const ask = asked(authentication);
    const half = answered(ask, { auth_strategy_01: "oauth2" });
    expect(half.status).toBe("pending");
    expect(half.questions[1]?.status).toBe("pending");
    const done = answered(half, { oauth_providers: ["google", "github"] });
    expect(done.result?.output).toEqual({
      question_id: "auth_strategy_01",
      answer: "oauth2",
      follow_up_answers: { oauth_providers: ["google", "github"] },
    });
    expect(answered(ask, { auth_strategy_01: "jwt_local" }).status).toBe("answered");
  });

  test("a text answer", () => {
    const ask = asked({ question_id: "custom_port", question_text: "Port?", type: "text" });
    expect(answered(ask, { custom_port: "8080" }).result?.content).toBe(
      '{"question_id":"custom_port","answer":"8080"}',
    );
  });
});

describe("the request_input shape", () => {
  test("a missing question id is taken from the tool use id, and vice versa", () => {
    expect(asked({ tool_use_id: "toolu_7", question: "Which port?" }).questions[0]?.question_id).toBe("toolu_7");
    expect(asked({ question_id: "q7", question: "Which port?" }).tool_use_id).toBe("q7");
  });

  test("free text without options, a choice with them", () => {
    expect(asked({ question: "Which port?" }).questions[0]?.type).toBe("text");
    const ask = asked({
      question: "Which?",
      options: ["a", { id: "x", label: "X" }],
      required: false,
      metadata: { k: 1 },
    });
    expect(ask.questions[0]).toMatchObject({ type: "multiple_choice", required: false });
    expect(ask.questions[0]?.options).toEqual([
      { id: "a", label: "a" },
      { id: "x", label: "X" },
    ]);
  });
});

describe("the shell dialect: eighteen cases", () => {
  const method = {
    question: "Which authentication method should we use?",
    header: "Auth method",
    options: [
      { label: "OAuth 2.0", description: "Industry standard, supports social login" },
      { label: "JWT", description: "Stateless tokens, good for APIs" },
    ],
    multiSelect: false,
  };
  const features = {
    question: "Which features to enable?",
    header: "Features",
    options: [
      { label: "Caching", description: "Redis caching" },
      { label: "Logging", description: "JSON logs" },
      { label: "Tracing", description: "Spans" },
    ],
    multiSelect: true,
  };
  const shell = (...questions: unknown[]) => ({ dialect: "shell", tool_use_id: "t", questions });
  const output = (ask: Ask, given: Record<string, AnswerInput>, indexed = false) =>
    answered(ask, given, indexed).result?.output;
  const problems = (...questions: unknown[]) => problemsText(() => normalise(shell(...questions), () => "t"));

  test("1 and 15: one choice by number", () => {
    expect(output(asked(shell(method)), { t: "1" }, true)).toEqual({ answers: { "Auth method": "OAuth 2.0" } });
  });
  test("2 and 16: several by numbers", () => {
    expect(output(asked(shell(features)), { t: "1,3" }, true)).toEqual({ answers: { Features: "Caching, Tracing" } });
  });
  test("3: several questions", () => {
    const ask = asked(shell(method, features));
    expect(output(ask, { "t#1": "2", "t#2": "2" }, true)).toEqual({
      answers: { "Auth method": "JWT", Features: "Logging" },
    });
  });
  test("4 and 17: Other", () => {
    expect(output(asked(shell(method)), { t: "other:Passkeys" }, true)).toEqual({
      answers: { "Auth method": "Other (custom: Passkeys)" },
    });
  });
  test("18: Other without text is not an answer", () => {
    expect(() => output(asked(shell(method)), { t: "other: " }, true)).toThrow(/empty/);
  });
  test("13 and 14: a number out of range and an empty answer are refused here; a terminal decides before it sends", () => {
    expect(() => output(asked(shell(method)), { t: "9" }, true)).toThrow(/not one of the options/);
    expect(() => output(asked(shell(method)), { t: "" }, true)).toThrow(/required/);
  });
  test("5: input that is not an object with questions", () => {
    expect(problemsText(() => normalise({ dialect: "shell" }, () => "t"))).toContain("holds no question");
  });
  test("6: every missing field is named", () => {
    const text = problems({ options: [{ label: "A" }, { label: "B", description: "b" }] });
    for (const path of [
      "questions[0].question",
      "questions[0].header",
      "questions[0].multiSelect",
      "questions[0].options[0].description",
    ]) {
      expect(text).toContain(path);
    }
  });
  test("7 and 8: no question, and more than four", () => {
    expect(problems()).toContain("at least 1 question");
    expect(problems(...[1, 2, 3, 4, 5].map((n) => ({ ...method, question: `${n}?` })))).toContain(
      "at most 4 questions",
    );
  });
  test("9 and 10: fewer than two options, and more than four", () => {
    expect(problems({ ...method, options: method.options.slice(0, 1) })).toContain("at least 2 options");
    const five = ["A", "B", "C", "D", "E"].map((label) => ({ label, description: "d" }));
    expect(problems({ ...method, options: five })).toContain("at most 4 options");
  });
  test("11 and 12: a header over 12 and a question over 500 characters", () => {
    const text = problems({ ...method, header: "x".repeat(13), question: "y".repeat(501) });
    expect(text).toContain("questions[0].header: must have at most 12 characters");
    expect(text).toContain("questions[0].question: must have at most 500 characters");
    expect(problems({ ...method, header: "选".repeat(12) })).toBe("");
  });
});
