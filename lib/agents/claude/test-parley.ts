import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildServer } from "../../../scripts/chaos/kit/server-program.ts";
import type { ServerProcess } from "../../../scripts/throwaway/server.ts";
import { type Client, createClient } from "../../client.ts";
import type { AskView } from "../../protocol/ask.ts";
import type { MessageView } from "../../protocol/message.ts";
import { type Block, startModel, type TestModel } from "../../test-model.ts";

/** As long as a slow machine needs: only a failure takes this time. */
const PATIENCE_MS = 200_000;

export const question = (text: string, more: object = {}) => ({
  question: text,
  header: "Choice",
  options: [
    { label: "Yes", description: "do it" },
    { label: "No", description: "leave it" },
  ],
  multiSelect: false,
  ...more,
});
export const ask = (...questions: object[]): Block => ({
  type: "tool_use",
  name: "AskUserQuestion",
  input: { questions },
});
/** How long a process keeps running in tests of long waits. */
export const PARK_S = 0.7;
export const text = (words: string): Block => ({ type: "text", text: words });

export type TestParley = {
  model: TestModel;
  client: Client;
  /** Where the agent works. */
  folder: string;
  /** Starts Parley, or starts it again after it was stopped in this way. */
  start: (env?: Record<string, string>, flags?: string[]) => Promise<void>;
  stop: (signal: NodeJS.Signals) => Promise<void>;
  /** A conversation with the agent, begun with this message. */
  say: (text: string, session_id?: string) => Promise<string>;
  /** The ask of this round, once it is open. */
  asked: (session_id: string, round: number) => Promise<AskView>;
  answer: (ask: AskView, ...answers: unknown[]) => Promise<void>;
  /** The thread after the turn, without Claude Code's own events. */
  ended: (session_id: string, status?: string) => Promise<MessageView[]>;
  /** Processes that Parley has started and that still run. */
  children: () => number;
  until: (holds: () => Promise<boolean> | boolean, otherwise: string) => Promise<void>;
  remove: () => Promise<void>;
};

/** Parley as it is shipped, in a separate process, with the real SDK against a scripted model; all of it on loopback. */
export async function testParley(databaseUrl: string): Promise<TestParley> {
  const folder = mkdtempSync(join(tmpdir(), "parley-claude-"));
  const [program, model] = await Promise.all([buildServer(), startModel()]);
  const environment = {
    ...model.env,
    HOME: folder,
    CLAUDE_CONFIG_DIR: join(folder, ".claude"),
    CLAUDE_FOLDER: folder,
  };
  let server: ServerProcess | undefined;
  // Its port is another after each start.
  const current = () => createClient({ url: `http://127.0.0.1:${server?.port}` });
  const call: Client["call"] = (id, options) => current().call(id, options);
  const client: Client = { call, fetch: (id, options) => current().fetch(id, options) };
  const read = (id: string) => call("readSession", { params: { id } });

  const until: TestParley["until"] = async (holds, otherwise) => {
    for (const end = Date.now() + PATIENCE_MS; !(await holds()); await sleep(20))
      if (Date.now() > end) throw new Error(`${otherwise}\n${server?.output()}`);
  };

  return {
    model,
    client,
    folder,
    until,
    start: async (env = {}, flags = []) => {
      server = await program.start({ databaseUrl, env: { ...environment, ...env }, flags });
    },
    stop: async (signal) => server?.stop(signal),
    say: async (text, session_id) => {
      const id = session_id ?? (await call("createSession", { body: { agent: "claude" } })).session_id;
      await call("sendMessage", { params: { id }, body: { text } });
      return id;
    },
    asked: async (session_id, round) => {
      let found: AskView | undefined;
      const look = async () => {
        const { pending } = await read(session_id);
        found = pending.find((ask) => ask.round === round);
        return found !== undefined;
      };
      await until(look, `round ${round} was not asked`);
      if (!found) throw new Error("it was there");
      return found;
    },
    answer: async ({ session_id, questions }, ...answers) => {
      for (const [index, answer] of answers.entries()) {
        const question_id = questions[index]?.question_id ?? "";
        await call("answer", { body: { session_id, question_id, ...(answer as object) } });
      }
    },
    ended: async (session_id, status = "active") => {
      await until(async () => (await read(session_id)).status === status, `it is not ${status}`);
      const { messages } = await call("readMessages", { params: { id: session_id } });
      return messages.filter(({ content }) => content.event !== "agent.system");
    },
    // Of none, `ps` says nothing and fails.
    children: () => {
      const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(server?.pid)], { encoding: "utf8" });
      return stdout.split("\n").filter((line) => line.trim() !== "").length;
    },
    remove: async () => {
      await server?.stop("SIGKILL");
      await model.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
