import type { CanUseTool, HookJSONOutput } from "@anthropic-ai/claude-agent-sdk";
import { answeredInput, askOfClaude, CLAUDE_TOOL } from "../../domain/shapes/claude-code.ts";
import type { Result } from "../../protocol/ask.ts";
import { isParleyError } from "../../protocol/errors.ts";
import type { AgentRun } from "../agent.ts";
import { callKey, decisionOf, isForAll, permissionAsk, permissionId, type Wanted } from "./permission.ts";
import type { ToolCalls } from "./tool-calls.ts";

export type AskingOptions = {
  run: AgentRun;
  calls: ToolCalls;
  /** Results that are known already, or are waited for, by ask. */
  results: Map<string, Promise<Result>>;
  /** Calls that were allowed while nothing ran: `callKey` of each. */
  granted: Set<string>;
  /** What is allowed for the whole conversation; what is allowed from now on is added. */
  always: Wanted[];
  /** How long somebody is waited for before what waits is put away. */
  parkAfterMs: number;
  /** Parley stops: what waits is put away now. */
  leaving: AbortSignal;
  /** The process has ended. */
  done: AbortSignal;
  /** Nothing runs until this permission is settled; ends the process. */
  onPark: (tool_use_id: string, wanted: Wanted) => Promise<void>;
  /** The turn cannot go on; ends the process. */
  onFailure: (error: unknown) => void;
};

/** An ask, and the message of the SDK that it comes from. */
type Asked = { body: Record<string, unknown>; event: unknown };

export type Asking = {
  /** Comes before `canUseTool` for a question, and alone can put its call away. */
  beforeQuestion: (id: string, input: Record<string, unknown>) => Promise<HookJSONOutput>;
  canUseTool: CanUseTool;
  /** How many calls wait for somebody. */
  waiting: () => number;
};

/** What Claude Code asks its host, asked of people: questions, and whether a tool may be used. */
export function createAsking(options: AskingOptions): Asking {
  const { run, calls, results, granted, always, parkAfterMs, leaving, done, onPark, onFailure } = options;
  let waiting = 0;

  /** Asks once, whichever way the question comes. What Parley refuses, the model is told. */
  const resultOf = (id: string, request: () => Promise<Asked>): Promise<Result> => {
    const known = results.get(id);
    if (known) return known;
    const asked = request().then(({ body, event }) => run.ask(body, event));
    results.set(id, asked);
    asked.catch((error) => {
      if (isParleyError(error) || run.signal.aborted) return;
      onFailure(error);
    });
    return asked;
  };

  /** Undefined: nobody has answered for a while, or Parley stops. */
  const awhile = async (result: Promise<Result>): Promise<Result | undefined> => {
    const patience = new Promise<undefined>((resolve) => {
      const timer = setTimeout(resolve, parkAfterMs, undefined);
      for (const signal of [leaving, done]) {
        if (signal.aborted) resolve(undefined);
        signal.addEventListener("abort", () => resolve(undefined));
      }
      done.addEventListener("abort", () => clearTimeout(timer));
    });
    waiting += 1;
    return Promise.race([result, patience]).finally(() => {
      waiting -= 1;
    });
  };

  /** What Parley does not take (too long, too often, nobody there), the model reads and can do better. */
  const refusal = (error: unknown): Promise<Result> => {
    // It is being ended: a reply now would let the model go on.
    if (!isParleyError(error)) return new Promise(() => {});
    const decided_by = { kind: "system", name: "parley", surface: "system" } as const;
    return Promise.resolve({ outcome: "cancelled", decided_by, answers: [], output: null, content: error.message });
  };

  const question = (id: string, input: Record<string, unknown>): Promise<Result> =>
    resultOf(id, async () => {
      const call = await calls.find(id);
      const asked = askOfClaude(input);
      const { metadata } = asked as { metadata?: Record<string, unknown> };
      const body = { ...asked, tool_use_id: id, metadata: { ...metadata, claude: call?.mark } };
      return { body, event: call?.event };
    });

  const beforeQuestion: Asking["beforeQuestion"] = async (id, input) => {
    if (results.has(id)) calls.resumed(id);
    const result = await awhile(question(id, input)).catch(refusal);
    if (result === undefined && !done.aborted && calls.isAlone(id)) return hookOutput({ permissionDecision: "defer" });
    const updatedInput = result && answeredInput(input, result);
    return updatedInput ? hookOutput({ permissionDecision: "allow", updatedInput }) : {};
  };

  const canUseTool: CanUseTool = async (tool_name, input, about) => {
    const { toolUseID: id, suggestions = [] } = about;
    if (tool_name === CLAUDE_TOOL) {
      const result = await question(id, input).catch(refusal);
      const updatedInput = answeredInput(input, result);
      return updatedInput ? { behavior: "allow", updatedInput } : { behavior: "deny", message: result.content };
    }
    const wanted: Wanted = { tool_name, input, suggestions };
    const key = callKey(wanted);
    const isGranted = granted.delete(key) || always.some((one) => callKey(one) === key);
    if (isGranted) return { behavior: "allow", updatedInput: input };
    const result = resultOf(permissionId(id), async () => {
      const call = await calls.find(id);
      return { body: permissionAsk(wanted, about, call?.mark), event: call?.event };
    });
    const early = await awhile(result).catch(refusal);
    if (early === undefined && !done.aborted && calls.isAlone(id)) await onPark(permissionId(id), wanted);
    const decided = early ?? (await result.catch(refusal));
    if (isForAll(decided)) always.push(wanted);
    return decisionOf(decided, wanted);
  };

  return { beforeQuestion, canUseTool, waiting: () => waiting };
}

function hookOutput(output: { permissionDecision: "allow" | "defer"; updatedInput?: Record<string, unknown> }) {
  return { hookSpecificOutput: { hookEventName: "PreToolUse" as const, ...output } };
}
