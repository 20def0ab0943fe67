import type { Stage } from "./stage.ts";
import type { Language } from "./words.ts";

const FAILURE: Record<Language, { intro: string; error: string; after: string; info: string }> = {
  en: {
    intro: "I will read a file that does not exist.",
    error: "no such file: config/missing.json",
    after: "As you can see, the failed tool call is marked as such, and the turn continues.",
    info: "No file was changed.",
  },
  zh: {
    intro: "我来读一个不存在的文件。",
    error: "文件不存在：config/missing.json",
    after: "可以看到，失败的工具会如实显示，而这一轮会继续。",
    info: "没有修改任何文件。",
  },
  ja: {
    intro: "存在しないファイルを読んでみます。",
    error: "ファイルがありません：config/missing.json",
    after: "ご覧のとおり、失敗はそのまま表示され、ターンは続きます。",
    info: "ファイルは変更していません。",
  },
};

/** A failing tool call, an error message and an info message. */
export async function failure({ run, language, speak }: Stage): Promise<void> {
  const t = FAILURE[language];
  await speak(t.intro);
  const id = await run.toolUse("read_file", { path: "config/missing.json" });
  await run.toolResult(id, t.error, { is_error: true });
  await run.error(t.error);
  await run.info(t.info);
  await speak(t.after);
}

const LONG: Record<Language, { intro: string; table: string; end: string }> = {
  en: {
    intro: "Here is how an agent asks, and what each type is for.",
    table:
      "| type | for | answer |\n|---|---|---|\n| multiple_choice | one of several | an id |\n| checkbox | any of several | ids |\n| text | anything | a text |\n| boolean | yes or no | true or false |",
    end: "Each of them waits until someone answers.",
  },
  zh: {
    intro: "智能体这样提问，四种类型各有用处。",
    table:
      "| 类型 | 用途 | 答案 |\n|---|---|---|\n| multiple_choice | 单选 | 一个 id |\n| checkbox | 多选 | 多个 id |\n| text | 任意文本 | 文本 |\n| boolean | 是或否 | true 或 false |",
    end: "每一种都会一直等到有人回答。",
  },
  ja: {
    intro: "エージェントはこう質問します。四つの型の使い分けです。",
    table:
      "| 型 | 用途 | 答え |\n|---|---|---|\n| multiple_choice | 一つ選ぶ | id |\n| checkbox | いくつか選ぶ | 複数の id |\n| text | 自由入力 | 文字列 |\n| boolean | はい・いいえ | true か false |",
    end: "どれも、誰かが答えるまで待ちます。",
  },
};

const CODE =
  '```ts\nconst reply = await fetch("http://localhost:3000/api/asks", {\n  method: "POST",\n  headers: { "content-type": "application/json" },\n  body: JSON.stringify({ question: "Which port?", wait: 55 }),\n});\nconst { ask } = await reply.json();\nconsole.log(ask.result?.output);\n```';

/** A long answer with code and a table, after a successful tool call. */
export async function long({ run, language, speak }: Stage): Promise<void> {
  const t = LONG[language];
  const id = await run.toolUse("list_files", { path: "docs" });
  await run.toolResult(id, "docs/asking.md\ndocs/answering.md");
  await speak(`${t.intro}\n\n${CODE}\n\n${t.table}\n\n${t.end}`);
}
