import type { Options } from "@anthropic-ai/claude-agent-sdk";
import type { Result } from "../../protocol/ask.ts";
import type { AgentRun, OwnRecord } from "../agent.ts";
import { lastMark, type Mark, markOf } from "./mark.ts";
import { callKey, decisionOf, isForAll, type Wanted, wantedIn } from "./permission.ts";
import type { Sdk } from "./sdk.ts";
import type { Parked } from "./session.ts";

/** How the next process of Claude Code begins. */
export type Next = {
  /** What it is told; null where a call that was put away comes back. */
  prompt: string | null;
  from: Pick<Options, "resume" | "resumeSessionAt" | "forkSession">;
  /** By ask: what the calls that come back find. */
  results: Map<string, Promise<Result>>;
  /** `callKey` of what was allowed while nothing ran. */
  granted: Set<string>;
  /** What was allowed for the whole conversation meanwhile. */
  always: Wanted[];
};
type Before = ReturnType<OwnRecord["take"]>;
type Entry = Before["recorded"][number];
type Settled = { result: Result; wanted: Wanted | undefined };

const NOTHING = () => ({ results: new Map(), granted: new Set<string>(), always: [] });

export function beginning(turn: AgentRun): Next {
  return { ...NOTHING(), prompt: turn.message, from: from(lastMark(turn.history), turn) };
}

/** After the answer to what it was put away for. */
export function goOn({ session_id, tool_use_id, deferred, wanted }: Parked, result: Result): Next {
  const resumed = { resume: session_id };
  return deferred ? sameCall(resumed, tool_use_id, result) : inWords(resumed, [{ result, wanted }]);
}

/**
 * After a restart, or in a conversation that was continued from a round: it waited. What it was put away for comes back
 * as the same call; what was cut off is told in words.
 */
export async function comeBack(sdk: Sdk, turn: AgentRun, { recorded, parked_for }: Before): Promise<Next> {
  const resumed = from(lastMark([...turn.history, ...recorded]), turn);
  const settled = await Promise.all(
    lastAsks(recorded).map(async ({ content }) => {
      const tool_use_id = String(content.tool_use_id);
      return { tool_use_id, result: await turn.own.resultOf(tool_use_id), wanted: wantedIn(content) };
    }),
  );
  const [first, second] = settled;
  const isAway = first && !second && parked_for === first.tool_use_id && !resumed.forkSession;
  if (isAway && resumed.resume && !(await isTold(sdk, resumed.resume, first.tool_use_id))) {
    return sameCall(resumed, first.tool_use_id, first.result);
  }
  return inWords(resumed, settled);
}

const MOST_RETOLD = 40_000;

/** Its session is gone (another machine, a cleared folder): a new one is told what was said, as far as Parley has it. */
export async function retold(turn: AgentRun, { prompt, results, granted, always }: Next): Promise<Next> {
  const said = turn.history.flatMap(({ type, role, content }) => {
    if (type === "text") return [`${role}: ${content.text}`];
    if (type === "ask_user_question") return [`you asked: ${JSON.stringify(content.input)}`];
    return type === "tool_result" && content.outcome !== undefined ? [`user: ${content.content}`] : [];
  });
  const before = `This conversation began earlier; what was said in it:\n${said.join("\n").slice(-MOST_RETOLD)}`;
  const answers = (await Promise.all(results.values())).map(({ content }) => content);
  const meanwhile = prompt === null || prompt === turn.message ? [] : [prompt];
  const told = [before, `user: ${turn.message}`, ...meanwhile, ...answers].join("\n\n");
  return { prompt: told, from: {}, results: new Map(), granted, always };
}

/** What the person allowed for the whole conversation in earlier turns. */
export async function allowedBefore(turn: AgentRun): Promise<Wanted[]> {
  const asked = turn.history.map(async ({ type, content }) => {
    const wanted = type === "ask_user_question" ? wantedIn(content) : undefined;
    if (!wanted) return [];
    // One that is open allows nothing yet, and is not waited for: somebody may have opened it again, and left it so.
    const result = await turn.own.resultNow(String(content.tool_use_id));
    return result && isForAll(result) ? [wanted] : [];
  });
  return (await Promise.all(asked)).flat();
}

/** A copy of a thread that goes on elsewhere has a session of its own, from where it was copied. */
function from(mark: Mark | undefined, { conversation_id }: AgentRun): Next["from"] {
  if (!mark) return {};
  if (mark.conversation_id === conversation_id) return { resume: mark.session_id };
  return { resume: mark.session_id, resumeSessionAt: mark.uuid, forkSession: true };
}

function sameCall(resumed: Next["from"], tool_use_id: string, result: Result): Next {
  return { ...NOTHING(), prompt: null, from: resumed, results: new Map([[tool_use_id, Promise.resolve(result)]]) };
}

function inWords(resumed: Next["from"], settled: Settled[]): Next {
  const lines: string[] = [];
  const granted = new Set<string>();
  const always: Wanted[] = [];
  for (const { result, wanted } of settled) {
    if (!wanted) {
      lines.push(`Your question was answered while you were away. ${result.content}`);
      continue;
    }
    const call = `${wanted.tool_name} with ${JSON.stringify(wanted.input)}`;
    const decision = decisionOf(result, wanted);
    if (decision.behavior === "deny") {
      lines.push(`You may not call ${call}. ${decision.message}`);
      continue;
    }
    lines.push(`You may now call ${call}. The user allowed it: call it again.`);
    granted.add(callKey(wanted));
    if (isForAll(result)) always.push(wanted);
  }
  const prompt = lines.length > 0 ? lines.join("\n\n") : "Continue from where you left off.";
  return { prompt, from: resumed, results: new Map(), granted, always };
}

/** What the last reply of the model asked: nothing was said after it. */
function lastAsks(recorded: Entry[]): Entry[] {
  const last = recorded.map((entry) => markOf(entry)?.message_id).findLast((id) => id !== undefined);
  return recorded.filter((entry) => entry.type === "ask_user_question" && markOf(entry)?.message_id === last);
}

/** Whether the session has the result already: it went on, and was stopped before it said anything. */
async function isTold(sdk: Sdk, session_id: string, tool_use_id: string): Promise<boolean> {
  const messages = await sdk.getSessionMessages(session_id);
  return messages.some(({ type, message }) => type === "user" && JSON.stringify(message).includes(`"${tool_use_id}"`));
}
