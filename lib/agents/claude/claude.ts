import type { Options } from "@anthropic-ai/claude-agent-sdk";
import { type Agent, AgentFailure, type AgentRun } from "../agent.ts";
import { allowedBy } from "./permission.ts";
import { allowedBefore, beginning, comeBack, goOn, retold } from "./resume.ts";
import { isInstalled, loadSdk, NOT_INSTALLED } from "./sdk.ts";
import { runSession, SessionGone } from "./session.ts";

export type ClaudeSettings = {
  /** Where it works. */
  folder: string;
  model: string | undefined;
  /** How long a process is kept for an answer. */
  parkAfterMs: number;
};

/** The Claude Agent SDK. While a person is waited for, nothing of it runs. */
export function createClaude({ folder, model, parkAfterMs }: ClaudeSettings): Agent {
  /** Two processes may not write one session: the next turn waits until the last one's has ended. */
  const running = new Map<string, Promise<unknown>>();

  const run = async (turn: AgentRun): Promise<void> => {
    const sdk = await loadSdk();
    if (!sdk) throw new AgentFailure(NOT_INSTALLED);
    const base: Options = {
      cwd: folder,
      includePartialMessages: true,
      systemPrompt: { type: "preset", preset: "claude_code" },
      ...(model !== undefined && { model }),
    };
    const before = turn.own.take();
    const always = await allowedBefore(turn);
    let next = before.recorded.length === 0 ? beginning(turn) : await comeBack(sdk, turn, before);
    for (;;) {
      always.push(...next.always);
      const options = { ...base, ...next.from, ...allowedBy(always) };
      const session = { ...next, sdk, run: turn, parkAfterMs, options, always };
      try {
        const parked = await runSession(session);
        if (!parked) return;
        if (parked.deferred) await turn.own.park(parked.tool_use_id);
        next = goOn(parked, await turn.own.resultOf(parked.tool_use_id));
      } catch (error) {
        if (!(error instanceof SessionGone) || next.from.resume === undefined) throw error;
        next = await retold(turn, next);
      }
    }
  };

  return {
    name: "claude",
    about: isInstalled() ? "Claude Code, by the Claude Agent SDK." : NOT_INSTALLED,
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
