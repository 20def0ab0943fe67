import { setTimeout as sleep } from "node:timers/promises";
import { isParleyError } from "../../protocol/errors.ts";
import type { Agent, AgentRun } from "../agent.ts";
import { authentication, batch, deletion, deployment, parallel, port } from "./questionnaires.ts";
import { rounds } from "./rounds.ts";
import { failure, long } from "./showing.ts";
import type { Scenario, Stage } from "./stage.ts";
import { languageOf, WORDS, type Words } from "./words.ts";

const SCENARIOS: Record<keyof Words["scenarios"], { called: RegExp; play: Scenario }> = {
  poem: { called: /poem|joke|smiley|round|唐诗|笑话|笑脸|多选|詩|冗談|笑顔/i, play: rounds },
  auth: { called: /auth|login|oauth|认证|验证|登录|認証|ログイン/i, play: authentication },
  port: { called: /port|端口|ポート/i, play: port },
  delete: { called: /delete|remove|删除|削除/i, play: deletion },
  deploy: { called: /deploy|部署|デプロイ/i, play: deployment },
  batch: { called: /batch|four|四个|批量|一次四|四つ/i, play: batch },
  parallel: { called: /parallel|two asks|at once|并行|两个|並行|二つ/i, play: parallel },
  failure: { called: /fail|error|出错|失败|失敗|エラー/i, play: failure },
  long: { called: /long|code|table|长|代码|表格|長い|コード/i, play: long },
};

/** The built-in agent: it needs nothing, plays scripted scenarios, and writes at reading speed. */
export function createDemo({ wordsPerSecond }: { wordsPerSecond: number }): Agent {
  return {
    name: "demo",
    about: "Built in. Shows every kind of question; needs no API key and no network.",
    run: async (run) => {
      const language = languageOf(run.message);
      const words = WORDS[language];
      const pace = (text: string) => paced(text, run, wordsPerSecond);
      const stage: Stage = {
        run,
        language,
        words,
        speak: (text) => run.text(pace(text)),
        think: (text) => run.thinking(pace(text)),
      };
      await stage.think(words.thinking);
      const requested = Object.values(SCENARIOS).find(({ called }) => called.test(run.message));
      const play = requested?.play ?? (isMenu(run.message) ? await choose(stage) : rounds);
      await play(stage).catch((error) => {
        if (!isParleyError(error) || error.code !== "recursive_limit_exceeded") throw error;
        return stage.speak(words.atLimit);
      });
    },
  };
}

function isMenu(message: string): boolean {
  return /menu|what can you|help|菜单|メニュー/i.test(message);
}

async function choose({ run, words, speak }: Stage): Promise<Scenario> {
  const keys = Object.keys(SCENARIOS) as Array<keyof typeof SCENARIOS>;
  await speak(words.menu.intro);
  const { answers } = await run.ask({
    question_text: words.menu.question,
    type: "multiple_choice",
    options: keys.map((key) => ({ id: key, ...words.scenarios[key] })),
  });
  const chosen = keys.find((key) => key === answers[0]?.option_ids[0]);
  return chosen ? SCENARIOS[chosen].play : async () => speak(words.doing.nothing);
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

async function* paced(text: string, run: AgentRun, wordsPerSecond: number): AsyncGenerator<string> {
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    yield segment;
    if (isWordLike && run.isLive()) await sleep(1_000 / wordsPerSecond, undefined, { signal: run.signal });
  }
}
