import { answerText } from "../../domain/views/answer-text.ts";
import type { Result } from "../../protocol/ask.ts";
import { askChoices } from "./ask-choices.ts";
import type { Stage } from "./stage.ts";
import type { Language } from "./words.ts";

type Texts<Text> = Record<Language, Text>;

const AUTH: Texts<{
  intro: string;
  strategy: string;
  about: string;
  oauth: string;
  jwt: string;
  cookie: string;
  providers: string;
  scopes: string;
  expiry: string;
  days: string;
}> = {
  en: {
    intro: "Before I build the login I need to know a few things.",
    strategy: "Which authentication strategy do you want?",
    about: "Choose what fits the security needs of the project.",
    oauth: "OAuth 2.0 (recommended)",
    jwt: "JWT and local accounts",
    cookie: "Session and cookie",
    providers: "Which OAuth providers shall I integrate?",
    scopes: "What may the GitHub app read?",
    expiry: "How long may a token live?",
    days: "days",
  },
  zh: {
    intro: "实现登录之前，有几件事要先确认。",
    strategy: "您希望采用哪种身份验证策略？",
    about: "请选择最适合当前项目安全要求的方案。",
    oauth: "OAuth 2.0（推荐）",
    jwt: "JWT + 本地账号",
    cookie: "Session + Cookie",
    providers: "请选择要集成的 OAuth 提供商：",
    scopes: "GitHub 应用可以读取什么？",
    expiry: "令牌的有效期是多久？",
    days: "天",
  },
  ja: {
    intro: "ログインを作る前に、いくつか確認させてください。",
    strategy: "どの認証方式にしますか？",
    about: "プロジェクトの安全要件に合うものを選んでください。",
    oauth: "OAuth 2.0（推奨）",
    jwt: "JWT とローカルアカウント",
    cookie: "セッションとクッキー",
    providers: "どの OAuth プロバイダーを組み込みますか？",
    scopes: "GitHub アプリは何を読めますか？",
    expiry: "トークンの有効期間は？",
    days: "日",
  },
};

/** Follow-ups on two levels: strategy → providers → scopes. */
export async function authentication({ run, language, words, speak }: Stage): Promise<void> {
  const t = AUTH[language];
  await speak(t.intro);
  const result = await run.ask({
    question_id: `auth_${run.history.length + 1}`,
    question_text: t.strategy,
    description: t.about,
    type: "multiple_choice",
    options: [
      { id: "oauth2", label: t.oauth, default: true },
      { id: "jwt_local", label: t.jwt },
      { id: "session_cookie", label: t.cookie },
    ],
    follow_up_questions: {
      oauth2: [
        {
          question_text: t.providers,
          type: "checkbox",
          options: ["Google", "GitHub", "Microsoft"].map((label) => ({ id: label.toLowerCase(), label })),
          follow_up_questions: {
            github: [
              {
                question_text: t.scopes,
                type: "checkbox",
                required: false,
                options: [
                  { id: "read:user", label: "read:user" },
                  { id: "repo", label: "repo" },
                ],
              },
            ],
          },
        },
      ],
      jwt_local: [
        {
          question_text: t.expiry,
          type: "multiple_choice",
          options: [1, 7, 30].map((days) => ({ id: `${days}d`, label: `${days} ${t.days}` })),
        },
      ],
    },
    context: [{ path: "src/auth.ts", lines: "1-12" }],
  });
  await report({ words, speak }, result);
}

const PORT: Texts<{ ask: string; again: (given: string) => string }> = {
  en: {
    ask: "Which port shall the service listen on? (1024–65535)",
    again: (given) => `“${given}” is not a port between 1024 and 65535. Which one shall it be?`,
  },
  zh: {
    ask: "服务要监听哪个端口？（1024–65535）",
    again: (given) => `“${given}”不是 1024 到 65535 之间的端口。请再输入一次：`,
  },
  ja: {
    ask: "サービスはどのポートで待ち受けますか？（1024–65535）",
    again: (given) => `「${given}」は 1024〜65535 のポートではありません。もう一度お願いします。`,
  },
};

/** Free text that is checked; a bad value brings a second round. */
export async function port(stage: Stage): Promise<void> {
  const t = PORT[stage.language];
  let question = t.ask;
  for (;;) {
    const result = await stage.run.ask({ question });
    const given = result.answers[0]?.text ?? "";
    if (result.outcome !== "answered" || isPort(given)) return report(stage, result);
    question = t.again(given.slice(0, 40));
  }
}

function isPort(text: string): boolean {
  const value = Number(text.trim());
  return Number.isInteger(value) && value >= 1024 && value <= 65_535;
}

const DELETE: Texts<{ ask: string; about: string; yes: string; no: string; nobody: string }> = {
  en: {
    ask: "Delete these three files?",
    about:
      "build/old.js, build/old.css, build/old.map. The next build makes new ones. Without an answer within two minutes they stay.",
    yes: "Deleted.",
    no: "They stay.",
    nobody: "Nobody answered, so they stay.",
  },
  zh: {
    ask: "确定要删除这三个文件吗？",
    about: "build/old.js、build/old.css、build/old.map。下次构建会重新生成。两分钟内没有回答就保留。",
    yes: "已删除。",
    no: "保留。",
    nobody: "没有人回答，所以保留。",
  },
  ja: {
    ask: "この三つのファイルを削除しますか？",
    about: "build/old.js、build/old.css、build/old.map。次のビルドで作り直せます。二分以内に答えがなければ残します。",
    yes: "削除しました。",
    no: "残します。",
    nobody: "答えがなかったので残します。",
  },
};

/** Yes or no, with a deadline and a default. */
export async function deletion({ run, language, words, speak }: Stage): Promise<void> {
  const t = DELETE[language];
  const result = await run.ask({
    question_text: t.ask,
    description: t.about,
    type: "boolean",
    default: false,
    timeout_s: 120,
    on_timeout: "default",
  });
  if (result.outcome === "cancelled") return speak(words.cancelled(result.reason ?? ""));
  if (result.outcome === "timeout") return speak(t.nobody);
  if (result.reply !== undefined) return speak(words.replied(result.reply));
  await speak(result.answers[0]?.value === true ? t.yes : t.no);
}

const DEPLOY: Texts<{ intro: string; ask: string; about: string; yes: string; no: string }> = {
  en: {
    intro: "shop-api 2.42 is built, and all 214 tests pass on staging. I can deploy it now.",
    ask: "Deploy shop-api 2.42 to production?",
    about: "It migrates the orders table. The old column is dropped, so there is no way back to 2.41.",
    yes: "Deployed. (This is a demo: nothing really happened.)",
    no: "Then I leave production as it is.",
  },
  zh: {
    intro: "shop-api 2.42 已构建完成，预发布环境的 214 个测试全部通过，随时可以部署。",
    ask: "把 shop-api 2.42 部署到生产环境吗？",
    about: "这次部署会迁移 orders 表并删除旧列，之后无法退回 2.41。",
    yes: "已部署。（这是演示，实际上什么都没有发生。）",
    no: "好的，生产环境保持不变。",
  },
  ja: {
    intro:
      "shop-api 2.42 のビルドが終わり、ステージングの 214 件のテストはすべて通りました。いつでもデプロイできます。",
    ask: "shop-api 2.42 を本番環境にデプロイしますか？",
    about: "orders テーブルを移行し、古い列を削除するため、2.41 には戻せません。",
    yes: "デプロイしました。（デモなので、実際には何も起きていません。）",
    no: "では、本番環境はそのままにします。",
  },
};

/** Yes or no to something that cannot be undone. */
export async function deployment({ run, language, words, speak }: Stage): Promise<void> {
  const t = DEPLOY[language];
  await speak(t.intro);
  const result = await run.ask({ question_text: t.ask, description: t.about, type: "boolean", irreversible: true });
  if (result.outcome === "cancelled") return speak(words.cancelled(result.reason ?? ""));
  if (result.reply !== undefined) return speak(words.replied(result.reply));
  await speak(result.answers[0]?.value === true ? t.yes : t.no);
}

const BATCH: Texts<Array<{ question: string; header: string; options: string[] }>> = {
  en: [
    { question: "Which database?", header: "Database", options: ["PostgreSQL", "SQLite"] },
    { question: "Which test runner?", header: "Tests", options: ["Vitest", "node:test"] },
    { question: "Which features to enable?", header: "Features", options: ["Caching", "Logging", "Tracing"] },
    { question: "Where to deploy?", header: "Deploy", options: ["Container", "Bare machine"] },
  ],
  zh: [
    { question: "用哪个数据库？", header: "数据库", options: ["PostgreSQL", "SQLite"] },
    { question: "用哪个测试工具？", header: "测试", options: ["Vitest", "node:test"] },
    { question: "启用哪些功能？", header: "功能", options: ["缓存", "日志", "追踪"] },
    { question: "部署到哪里？", header: "部署", options: ["容器", "裸机"] },
  ],
  ja: [
    { question: "どのデータベースにしますか？", header: "データベース", options: ["PostgreSQL", "SQLite"] },
    { question: "どのテストツールにしますか？", header: "テスト", options: ["Vitest", "node:test"] },
    { question: "どの機能を有効にしますか？", header: "機能", options: ["キャッシュ", "ログ", "トレース"] },
    { question: "どこに配置しますか？", header: "配置", options: ["コンテナ", "実機"] },
  ],
};

export async function batch(stage: Stage): Promise<void> {
  const questions = BATCH[stage.language].map(({ options, ...question }, index) => ({
    ...question,
    multiSelect: index === 2,
    options: options.map((label) => ({ label })),
  }));
  for (const result of await askChoices(stage.run, questions)) await report(stage, result);
}

/** Two asks open at once: they may be answered in any order. */
export async function parallel(stage: Stage): Promise<void> {
  const [first, second] = BATCH[stage.language].slice(0, 2);
  const ask = (asked: typeof first) =>
    stage.run.ask({ question: asked?.question ?? "?", options: asked?.options ?? ["?"] });
  const results = await Promise.all([ask(first), ask(second)]);
  for (const result of results) await report(stage, result);
}

async function report({ words, speak }: Pick<Stage, "words" | "speak">, result: Result): Promise<void> {
  if (result.reply !== undefined) return speak(words.replied(result.reply));
  if (result.outcome !== "answered") return speak(words.cancelled(result.reason ?? result.outcome));
  await speak(words.noted(result.answers.map(answerText).filter(Boolean).join(" · ")));
}
