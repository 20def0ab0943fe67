import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startModel, type TestModel } from "../../test-model.ts";
import { inTerminal, KEY, type Ran, run, until } from "../test-cli.ts";

// The real Claude Code in a pseudo-terminal, with its own home and a scripted model.

const PACKAGE = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`;
const CLAUDE = join(import.meta.dirname, "../../../node_modules", PACKAGE, "claude");

export type TestClaude = ReturnType<typeof inTerminal> & {
  model: TestModel;
  /** The process of Claude Code itself. */
  pid: () => number;
  /** The text on its screen without blanks, which it does not write: it moves the cursor instead. */
  shows: (text: string) => Promise<void>;
  /** Types a prompt and sends it once it is there. */
  send: (prompt: string) => Promise<void>;
  stop: () => Promise<void>;
};

export type TestProject = {
  folder: string;
  env: Record<string, string>;
  connect: (...options: string[]) => Promise<Ran>;
  start: () => Promise<TestClaude>;
  /** Runs `claude -p`, unattended, and returns what it printed. */
  print: (model: TestModel, ...options: string[]) => Promise<string>;
  remove: () => void;
};

/** A project of someone who has used Claude Code before. */
export function testProject(parleyUrl: string): TestProject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "parley-claude-")));
  const folder = join(root, "shop");
  const config = join(root, "config");
  for (const each of [folder, config]) mkdirSync(each);
  writeFileSync(
    join(config, ".claude.json"),
    JSON.stringify({
      hasCompletedOnboarding: true,
      theme: "dark",
      customApiKeyResponses: { approved: ["test"], rejected: [] },
      projects: { [folder]: { hasTrustDialogAccepted: true, disabledMcpjsonServers: ["parley"] } },
    }),
  );
  const env = {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: root,
    USER: "tester",
    CLAUDE_CONFIG_DIR: config,
    PARLEY_URL: parleyUrl,
  };
  return {
    folder,
    env,
    connect: (...options) => run(["connect", "claude-code", ...options], { env, cwd: folder }),
    start: async () => {
      const model = await startModel();
      const pidFile = join(root, "pid");
      const sitting = inTerminal(
        `echo $$ > "${pidFile}"; exec "$CLAUDE"`,
        {
          ...env,
          ...model.env,
          CLAUDE,
        },
        folder,
        "cols 100 rows 40",
      );
      const shows = async (text: string, from: number) => {
        const squeezed = (screen: string) => screen.replace(/\s+/g, "");
        const last = () => `Claude Code never showed ${text}. There was:\n${sitting.screen().slice(-3_000)}`;
        await until(() => squeezed(sitting.screen().slice(from)).includes(squeezed(text)), last);
      };
      const pid = () => Number(readFileSync(pidFile, "utf8"));
      const claude: TestClaude = {
        ...sitting,
        model,
        pid,
        shows: (text) => shows(text, 0),
        send: async (prompt) => {
          const before = sitting.screen().length;
          sitting.type(prompt);
          await shows(prompt, before);
          sitting.type(KEY.enter);
        },
        stop: async () => {
          if (sitting.child.exitCode === null) process.kill(pid(), "SIGKILL");
          await sitting.ended;
          await model.stop();
        },
      };
      await claude.shows("❯");
      return claude;
    },
    print: async (model, ...given) => {
      const options = { cwd: folder, env: { ...env, ...model.env, NODE_ENV: "production" as const } };
      const { stdout } = await promisify(execFile)(CLAUDE, ["-p", ...given], options);
      return stdout.trim();
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
