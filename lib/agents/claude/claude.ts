import type { Options } from "@anthropic-ai/claude-agent-sdk";
import type { Environment } from "../../child-environment.ts";
import { type Agent, AgentFailure, type AgentRun } from "../agent.ts";
import { allowedBy } from "./permission.ts";
import { afterAnswer, afterRestart, allowedBefore, beginning, retelling } from "./resume.ts";
import { isInstalled, loadSdk, NOT_INSTALLED } from "./sdk.ts";
import { runSession, SessionGone } from "./session.ts";

export type ClaudeSettings = {
  /** Its working directory; undefined until someone chooses one. */
  folder: string | undefined;
  /** The environment of its processes. */
  env: Environment;
  model: string | undefined;
  /** How long a process waits for an answer before it is shut down. */
  parkAfterMs: number;
};

const NO_FOLDER = "Set CLAUDE_FOLDER to the folder that claude may work in, and start Parley again.";

/** Runs turns with the Claude Agent SDK. While it waits for a person, no process runs. */
export function createClaude({ folder, env, model, parkAfterMs }: ClaudeSettings): Agent {
  /** Two processes must not write one session: a turn waits until the process of the previous turn has ended. */
  const running = new Map<string, Promise<unknown>>();

  const run = async (turn: AgentRun): Promise<void> => {
    const sdk = await loadSdk();
    if (!sdk) throw new AgentFailure(NOT_INSTALLED);
    if (folder === undefined) throw new AgentFailure(NO_FOLDER);
    const base: Options = {
      cwd: folder,
      env,
      includePartialMessages: true,
      systemPrompt: { type: "preset", preset: "claude_code" },
      ...(model !== undefined && { model }),
    };
    const before = turn.own.take();
    const always = await allowedBefore(turn);
    let next = before.recorded.length === 0 ? beginning(turn) : await afterRestart(sdk, turn, before);
    for (;;) {
      always.push(...next.always);
      const options = { ...base, ...next.from, ...allowedBy(always) };
      const session = { ...next, sdk, run: turn, parkAfterMs, options, always };
      try {
        const parked = await runSession(session);
        if (!parked) return;
        if (parked.deferred) await turn.own.park(parked.tool_use_id);
        next = afterAnswer(parked, await turn.own.resultOf(parked.tool_use_id));
      } catch (error) {
        if (!(error instanceof SessionGone) || next.from.resume === undefined) throw error;
        next = await retelling(turn, next);
      }
    }
  };

  return {
    name: "claude",
    about: !isInstalled() ? NOT_INSTALLED : folder === undefined ? NO_FOLDER : "Claude Code, by the Claude Agent SDK.",
    run: async (turn) => {
      await running.get(turn.conversation_id);
      const ran = run(turn);
      const settled = ran.catch(() => {});
      running.set(turn.conversation_id, settled);
      await ran.finally(() => {
        if (running.get(turn.conversation_id) === settled) running.delete(turn.conversation_id);
      });
    },
  };
}
