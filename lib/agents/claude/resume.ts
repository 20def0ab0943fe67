import type { Options } from "@anthropic-ai/claude-agent-sdk";
import type { Result } from "../../protocol/ask.ts";
import type { AgentRun, OwnRecord } from "../agent.ts";
import { lastMark, type Mark, markOf } from "./mark.ts";
import { decisionOf, type Wanted, wantedIn } from "./permission.ts";
import type { Sdk } from "./sdk.ts";
import { callKey, type Parked } from "./session.ts";

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
  rules: Wanted["suggestions"];
};
type Before = ReturnType<OwnRecord["take"]>;
type Entry = Before["recorded"][number];
type Settled = { result: Result; wanted: Wanted | undefined };

const NOTHING = () => ({ results: new Map(), granted: new Set<string>(), rules: [] });

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
export async function comeBack(sdk: Sdk, turn: AgentRun, { recorded, parked }: Before): Promise<Next> {
  const resumed = from(lastMark([...turn.history, ...recorded]), turn);
  const settled = await Promise.all(
    lastAsks(recorded).map(async ({ content }) => {
      const tool_use_id = String(content.tool_use_id);
      return { tool_use_id, result: await turn.own.resultOf(tool_use_id), wanted: wantedIn(content) };
    }),
  );
  const [first, second] = settled;
  const isAway = first && !second && parked.includes(first.tool_use_id) && !resumed.forkSession;
  if (isAway && resumed.resume && !(await isTold(sdk, resumed.resume, first.tool_use_id))) {
    return sameCall(resumed, first.tool_use_id, first.result);
  }
  return inWords(resumed, settled);
}

const MOST_RETOLD = 40_000;

/** Its session is gone (another machine, a cleared folder): a new one is told what was said, as far as Parley has it. */
export async function retold(turn: AgentRun, { prompt, results, granted, rules }: Next): Promise<Next> {
  const said = turn.history.flatMap(({ type, role, content }) => {
    if (type === "text") return [`${role}: ${content.text}`];
    if (type === "ask_user_question") return [`you asked: ${JSON.stringify(content.input)}`];
    return type === "tool_result" && content.outcome !== undefined ? [`user: ${content.content}`] : [];
  });
  const before = `This conversation began earlier; what was said in it:\n${said.join("\n").slice(-MOST_RETOLD)}`;
  const answers = (await Promise.all(results.values())).map(({ content }) => content);
  const meanwhile = prompt === null || prompt === turn.message ? [] : [prompt];
  const told = [before, `user: ${turn.message}`, ...meanwhile, ...answers].join("\n\n");
  return { prompt: told, from: {}, results: new Map(), granted, rules };
}

/** What the person allowed for the whole conversation in earlier turns. */
export async function rulesGiven(turn: AgentRun): Promise<Wanted["suggestions"]> {
  const asked = turn.history.flatMap(({ type, content }) => {
    const wanted = type === "ask_user_question" ? wantedIn(content) : undefined;
    return wanted ? [{ wanted, tool_use_id: String(content.tool_use_id) }] : [];
  });
  const updates = asked.map(async ({ wanted, tool_use_id }) => {
    // One that timed out allowed nothing.
    const result = await turn.own.resultOf(tool_use_id).catch(() => undefined);
    return result ? rulesOf(decisionOf(result, wanted)) : [];
  });
  return (await Promise.all(updates)).flat();
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
  const decided = settled.map(({ result, wanted }) => {
    const decision = wanted && decisionOf(result, wanted);
    return { result, wanted, decision };
  });
  const lines = decided.map(({ result, wanted, decision }) => {
    if (!wanted) return `Your question was answered while you were away. ${result.content}`;
    const call = `${wanted.tool_name} with ${JSON.stringify(wanted.input)}`;
    if (decision?.behavior !== "deny") return `You may now call ${call}. The user allowed it: call it again.`;
    return `You may not call ${call}. ${decision.message}`;
  });
  const given = decided.flatMap(({ wanted, decision }) => (wanted && decision?.behavior === "allow" ? [wanted] : []));
  return {
    prompt: lines.length > 0 ? lines.join("\n\n") : "Continue from where you left off.",
    from: resumed,
    results: new Map(),
    granted: new Set(given.map(({ tool_name, input }) => callKey(tool_name, input))),
    rules: decided.flatMap(({ decision }) => (decision ? rulesOf(decision) : [])),
  };
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

function rulesOf(decision: ReturnType<typeof decisionOf>): Wanted["suggestions"] {
  return "updatedPermissions" in decision ? (decision.updatedPermissions ?? []) : [];
}
