import type { Options } from "@anthropic-ai/claude-agent-sdk";
import type { Result } from "../../protocol/ask.ts";
import type { AgentRun, OwnRecord } from "../agent.ts";
import { lastMark, type Mark, markOf } from "./mark.ts";
import { callKey, decisionOf, isForConversation, type PermissionRequest, permissionIn } from "./permission.ts";
import type { Sdk } from "./sdk.ts";
import type { Parked } from "./session.ts";

/** How the next process of Claude Code begins. */
export type Next = {
  /** The prompt; null if a deferred call comes back. */
  prompt: string | null;
  from: Pick<Options, "resume" | "resumeSessionAt" | "forkSession">;
  /** By ask: the results for calls that come back. */
  results: Map<string, Promise<Result>>;
  /** `callKey` of what was allowed while no process ran. */
  granted: Set<string>;
  /** What was allowed for the whole conversation in the meantime. */
  always: PermissionRequest[];
};
type RecordedTurn = ReturnType<OwnRecord["take"]>;
type Entry = RecordedTurn["recorded"][number];
type SettledAsk = { result: Result; permission: PermissionRequest | undefined };

const NOTHING = () => ({ results: new Map(), granted: new Set<string>(), always: [] });

export function beginning(turn: AgentRun): Next {
  return { ...NOTHING(), prompt: turn.message, from: from(lastMark(turn.history), turn) };
}

/** Continues with the answer that the agent was parked for. */
export function afterAnswer({ session_id, tool_use_id, deferred, permission }: Parked, result: Result): Next {
  const resumed = { resume: session_id };
  return deferred ? sameCall(resumed, tool_use_id, result) : asPrompt(resumed, [{ result, permission }]);
}

/**
 * After a restart, or in a conversation continued from a round, the agent was waiting. A deferred call comes back as the
 * same call; for calls whose process was killed, the prompt says how they were settled.
 */
export async function afterRestart(sdk: Sdk, turn: AgentRun, { recorded, parked_for }: RecordedTurn): Promise<Next> {
  const resumed = from(lastMark([...turn.history, ...recorded]), turn);
  const settled = await Promise.all(
    lastAsks(recorded).map(async ({ content }) => {
      const tool_use_id = String(content.tool_use_id);
      return { tool_use_id, result: await turn.own.resultOf(tool_use_id), permission: permissionIn(content) };
    }),
  );
  const [first, second] = settled;
  const isDeferred = first && !second && parked_for === first.tool_use_id && !resumed.forkSession;
  if (isDeferred && resumed.resume && !(await hasResult(sdk, resumed.resume, first.tool_use_id))) {
    return sameCall(resumed, first.tool_use_id, first.result);
  }
  return asPrompt(resumed, settled);
}

const MAX_RETOLD = 40_000;

/** The session is gone (another machine, a cleared folder): starts a new one with the history that Parley has. */
export async function retelling(turn: AgentRun, { prompt, results, granted, always }: Next): Promise<Next> {
  const said = turn.history.flatMap(({ type, role, content }) => {
    if (type === "text") return [`${role}: ${content.text}`];
    if (type === "ask_user_question") return [`you asked: ${JSON.stringify(content.input)}`];
    return type === "tool_result" && content.outcome !== undefined ? [`user: ${content.content}`] : [];
  });
  const before = `This conversation began earlier; what was said in it:\n${said.join("\n").slice(-MAX_RETOLD)}`;
  const answers = (await Promise.all(results.values())).map(({ content }) => content);
  const later = prompt === null || prompt === turn.message ? [] : [prompt];
  const retold = [before, `user: ${turn.message}`, ...later, ...answers].join("\n\n");
  return { prompt: retold, from: {}, results: new Map(), granted, always };
}

/** What the person allowed for the whole conversation in earlier turns. */
export async function allowedBefore(turn: AgentRun): Promise<PermissionRequest[]> {
  const asked = turn.history.map(async ({ type, content }) => {
    const permission = type === "ask_user_question" ? permissionIn(content) : undefined;
    if (!permission) return [];
    // An open one allows nothing yet. Do not wait for it: someone may have reopened it and left it open.
    const result = await turn.own.resultNow(String(content.tool_use_id));
    return result && isForConversation(result) ? [permission] : [];
  });
  return (await Promise.all(asked)).flat();
}

/** A conversation continued from a round forks the session where it was copied. */
function from(mark: Mark | undefined, { conversation_id }: AgentRun): Next["from"] {
  if (!mark) return {};
  if (mark.conversation_id === conversation_id) return { resume: mark.session_id };
  return { resume: mark.session_id, resumeSessionAt: mark.uuid, forkSession: true };
}

function sameCall(resumed: Next["from"], tool_use_id: string, result: Result): Next {
  return { ...NOTHING(), prompt: null, from: resumed, results: new Map([[tool_use_id, Promise.resolve(result)]]) };
}

function asPrompt(resumed: Next["from"], settled: SettledAsk[]): Next {
  const lines: string[] = [];
  const granted = new Set<string>();
  const always: PermissionRequest[] = [];
  for (const { result, permission } of settled) {
    if (!permission) {
      lines.push(`Your question was answered while you were away. ${result.content}`);
      continue;
    }
    const call = `${permission.tool_name} with ${JSON.stringify(permission.input)}`;
    const decision = decisionOf(result, permission);
    if (decision.behavior === "deny") {
      lines.push(`You may not call ${call}. ${decision.message}`);
      continue;
    }
    lines.push(`You may now call ${call}. The user allowed it: call it again.`);
    granted.add(callKey(permission));
    if (isForConversation(result)) always.push(permission);
  }
  const prompt = lines.length > 0 ? lines.join("\n\n") : "Continue from where you left off.";
  return { prompt, from: resumed, results: new Map(), granted, always };
}

/** The asks of the model's last reply: nothing was said after it. */
function lastAsks(recorded: Entry[]): Entry[] {
  const last = recorded.map((entry) => markOf(entry)?.message_id).findLast((id) => id !== undefined);
  return recorded.filter((entry) => entry.type === "ask_user_question" && markOf(entry)?.message_id === last);
}

/** Whether the session has the result already: it resumed and was stopped before it said anything. */
async function hasResult(sdk: Sdk, session_id: string, tool_use_id: string): Promise<boolean> {
  const messages = await sdk.getSessionMessages(session_id);
  return messages.some(({ type, message }) => type === "user" && JSON.stringify(message).includes(`"${tool_use_id}"`));
}
