import type { Options, Query, SDKMessage, SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { CLAUDE_TOOL } from "../../domain/shapes/claude-code.ts";
import { AgentFailure, type AgentRun } from "../agent.ts";
import { type AskingOptions, createAsking } from "./asking.ts";
import { type Child, spawnTied } from "./child.ts";
import type { PermissionRequest } from "./permission.ts";
import type { Sdk } from "./sdk.ts";
import { ToolCalls } from "./tool-calls.ts";
import { failureOf, receivedResult, translate } from "./translate.ts";

export type SessionOptions = Pick<AskingOptions, "run" | "results" | "granted" | "always" | "parkAfterMs"> & {
  sdk: Sdk;
  /** What the person messages; null if the session resumes a deferred call. */
  prompt: string | null;
  options: Options;
};

/** `deferred`: Claude Code repeats the call when the session resumes. It does not if the process was killed. */
export type Parked = {
  tool_use_id: string;
  session_id: string;
  deferred: boolean;
  permission: PermissionRequest | undefined;
};

const EXIT_MS = 3_000;
const INTERRUPT_MS = 2_000;
/** The hook timeout of Claude Code; Parley replies long before. */
const HOOK_S = 1_000_000;

/** The session to resume is not on this machine any more. */
export class SessionGone extends AgentFailure {}
const isGone = (words: string): boolean => words.includes("No conversation found");

/** Runs one Claude Code process until its reply is complete or it is parked to wait for a person. */
export async function runSession(session: SessionOptions): Promise<Parked | undefined> {
  const { sdk, run, prompt, results } = session;
  run.signal.throwIfAborted();
  const calls = new ToolCalls();
  const leaving = new AbortController();
  const done = new AbortController();
  let child: Child | undefined;
  let parked: Parked | undefined;
  let session_id = session.options.resume ?? "";
  let failure: unknown;

  const asking = createAsking({
    ...session,
    calls,
    leaving: leaving.signal,
    done: done.signal,
    onPark: async (tool_use_id, permission) => {
      parked = { tool_use_id, session_id, deferred: false, permission };
      await child?.kill();
    },
    onFailure: (error) => {
      failure = error;
      void child?.kill();
    },
  });
  const query: Query = sdk.query({
    prompt: input(prompt, done.signal),
    options: {
      ...session.options,
      canUseTool: asking.canUseTool,
      hooks: {
        PreToolUse: [
          {
            matcher: CLAUDE_TOOL,
            timeout: HOOK_S,
            hooks: [
              async (hook, id = "") =>
                hook.hook_event_name === "PreToolUse"
                  ? asking.beforeQuestion(id, hook.tool_input as Record<string, unknown>)
                  : {},
            ],
          },
        ],
      },
      spawnClaudeCodeProcess: (options) => {
        child = spawnTied(options);
        return child.process as ReturnType<NonNullable<Options["spawnClaudeCodeProcess"]>>;
      },
    },
  });

  const stop = async () => {
    if (leaving.signal.aborted) return child?.kill();
    await query.interrupt().catch(() => {});
    await child?.ended(INTERRUPT_MS);
  };
  const onAbort = () => void stop();
  run.signal.addEventListener("abort", onAbort);
  run.own.beforeStop(async () => {
    leaving.abort();
    // Parked within this time or killed: the model must not continue without an answer.
    await child?.ended(asking.waiting() > 0 ? EXIT_MS : 0);
  });

  const stream = streamTo(run);
  try {
    for await (const message of query) {
      if ("session_id" in message && message.session_id) session_id = message.session_id;
      stream(message);
      const { messages, calls: made, results: ended } = translate(message, run.conversation_id);
      if (!isRepeatedInit(message, session.options))
        for (const one of messages)
          await run.own.say(results.has(String(one.content.tool_use_id)) ? receivedResult(one) : one);
      for (const call of made) calls.called(call);
      for (const id of ended) calls.ended(id);
      if (message.type !== "result") continue;
      run.own.ended(message);
      const deferred = "deferred_tool_use" in message ? message.deferred_tool_use : undefined;
      if (deferred) parked = { tool_use_id: deferred.id, session_id, deferred: true, permission: undefined };
      const words = failureOf(message);
      if (words !== undefined && !run.signal.aborted)
        failure ??= isGone(words) ? new SessionGone(words) : new AgentFailure(words);
      break;
    }
  } catch (error) {
    // Killing the process ourselves surfaces as an error; ignore it.
    if (failure === undefined && !parked && !run.signal.aborted && !leaving.signal.aborted)
      throw withWords(error, child);
  } finally {
    done.abort();
    await child?.ended(EXIT_MS);
    run.signal.removeEventListener("abort", onAbort);
    run.own.beforeStop(async () => {});
  }
  if (failure !== undefined) throw failure;
  if (!parked) run.signal.throwIfAborted();
  return parked;
}

/** Every process announces itself. In a resumed session the thread has that already. */
function isRepeatedInit(message: SDKMessage, { resume }: Options): boolean {
  return message.type === "system" && message.subtype === "init" && message.session_id === resume;
}

/** Claude Code exits at the end of its input, so the input stays open until the reply is complete. */
async function* input(prompt: string | null, done: AbortSignal): AsyncGenerator<SDKUserMessage> {
  if (prompt !== null) yield { type: "user", message: { role: "user", content: prompt }, parent_tool_use_id: null };
  if (!done.aborted) await new Promise((resolve) => done.addEventListener("abort", resolve));
}

/** Streams the block that is being written. */
function streamTo(run: AgentRun): (message: SDKMessage) => void {
  let text = "";
  return (message) => {
    if (message.type !== "stream_event" || message.parent_tool_use_id !== null) return;
    const { event } = message;
    if (event.type === "content_block_start") text = "";
    if (event.type !== "content_block_delta") return;
    const { delta } = event;
    const piece = delta.type === "text_delta" ? delta.text : delta.type === "thinking_delta" ? delta.thinking : "";
    if (piece === "") return;
    text += piece;
    run.own.stream(delta.type === "text_delta" ? "text" : "thinking", piece, text);
  };
}

function withWords(error: unknown, child: Child | undefined): unknown {
  const words = child?.lastWords();
  return words && error instanceof Error ? new Error(`${error.message}: ${words}`, { cause: error }) : error;
}
