import type { CanUseTool, HookJSONOutput } from "@anthropic-ai/claude-agent-sdk";
import { answeredInput, askOfClaude, CLAUDE_TOOL } from "../../domain/shapes/claude-code.ts";
import type { Result } from "../../protocol/ask.ts";
import { isParleyError } from "../../protocol/errors.ts";
import type { AgentRun } from "../agent.ts";
import {
  callKey,
  decisionOf,
  isForConversation,
  type PermissionRequest,
  permissionAsk,
  permissionId,
} from "./permission.ts";
import type { ToolCalls } from "./tool-calls.ts";

export type AskingOptions = {
  run: AgentRun;
  calls: ToolCalls;
  /** Results by ask, settled or still awaited. */
  results: Map<string, Promise<Result>>;
  /** Calls that were allowed while no process ran: `callKey` of each. */
  granted: Set<string>;
  /** What is allowed for the whole conversation. Grows with each such permission. */
  always: PermissionRequest[];
  /** How long to wait for a person before the process is parked. */
  parkAfterMs: number;
  /** Parley is shutting down: park now. */
  leaving: AbortSignal;
  /** The process has ended. */
  done: AbortSignal;
  /** Ends the process until this permission is settled. */
  onPark: (tool_use_id: string, permission: PermissionRequest) => Promise<void>;
  /** Ends the process: the turn cannot continue. */
  onFailure: (error: unknown) => void;
};

/** An ask, and the SDK message it comes from. */
type AskWithEvent = { body: Record<string, unknown>; event: unknown };

export type Asking = {
  /** Runs before `canUseTool` for a question. Only here can its call be deferred. */
  beforeQuestion: (id: string, input: Record<string, unknown>) => Promise<HookJSONOutput>;
  canUseTool: CanUseTool;
  /** How many calls wait for a person. */
  waiting: () => number;
};

/** Passes to people what Claude Code asks its host: questions and tool permissions. */
export function createAsking(options: AskingOptions): Asking {
  const { run, calls, results, granted, always, parkAfterMs, leaving, done, onPark, onFailure } = options;
  let waiting = 0;

  /** Asks only once, for the first callback to arrive. If Parley refuses, the model learns why. */
  const resultOf = (id: string, request: () => Promise<AskWithEvent>): Promise<Result> => {
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

  /** Undefined if nobody answers before it is time to park, or Parley is shutting down. */
  const beforeParking = async (result: Promise<Result>): Promise<Result | undefined> => {
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

  /** The model reads why Parley refused (too long, too often, nobody there) and can do better. */
  const refusal = (error: unknown): Promise<Result> => {
    // The process is being killed: a reply now would let the model continue.
    if (!isParleyError(error)) return new Promise(() => {});
    const decided_by = { kind: "system", name: "parley", surface: "system" } as const;
    return Promise.resolve({ outcome: "cancelled", decided_by, answers: [], output: null, content: error.message });
  };

  const question = (id: string, input: Record<string, unknown>): Promise<Result> =>
    resultOf(id, async () => {
      const call = await calls.find(id);
      const asked = askOfClaude(input);
      const metadata = typeof asked.metadata === "object" ? asked.metadata : {};
      const body = { ...asked, tool_use_id: id, metadata: { ...metadata, claude: call?.mark } };
      return { body, event: call?.event };
    });

  const beforeQuestion: Asking["beforeQuestion"] = async (id, input) => {
    if (results.has(id)) calls.resumed(id);
    const result = await beforeParking(question(id, input)).catch(refusal);
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
    const permission: PermissionRequest = { tool_name, input, suggestions };
    const key = callKey(permission);
    const isGranted = granted.delete(key) || always.some((one) => callKey(one) === key);
    if (isGranted) return { behavior: "allow", updatedInput: input };
    const result = resultOf(permissionId(id), async () => {
      const call = await calls.find(id);
      return { body: permissionAsk(permission, about, call?.mark), event: call?.event };
    });
    const early = await beforeParking(result).catch(refusal);
    if (early === undefined && !done.aborted && calls.isAlone(id)) await onPark(permissionId(id), permission);
    const decided = early ?? (await result.catch(refusal));
    if (isForConversation(decided)) always.push(permission);
    return decisionOf(decided, permission);
  };

  return { beforeQuestion, canUseTool, waiting: () => waiting };
}

function hookOutput(output: { permissionDecision: "allow" | "defer"; updatedInput?: Record<string, unknown> }) {
  return { hookSpecificOutput: { hookEventName: "PreToolUse" as const, ...output } };
}
