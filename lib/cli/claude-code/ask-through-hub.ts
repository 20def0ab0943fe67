import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ClientError } from "../../client.ts";
import type { AskView, Result } from "../../protocol/ask.ts";
import { cutTo } from "../../protocol/characters.ts";
import { answeredInput, askOfClaude, CLAUDE_TOOL } from "../../protocol/claude-code.ts";
import { DEFAULT_LIMITS } from "../../protocol/limits.ts";
import { hubOf, keepTrying } from "../hub.ts";
import { End, EXIT, hubUrl, type Terminal } from "../terminal.ts";
import type { HookInput } from "./hook-input.ts";
import { settle } from "./settle.ts";
import { watchTerminal } from "./terminal-end.ts";
import { asksSincePrompt, openCall, questionTexts, titleOf } from "./transcript.ts";

/** Since the start of the process: whoever sits there is not kept waiting for a Parley that does not answer. */
const FIRST_CONTACT_MS = 1_800;
const WRITTEN_DOWN_MS = 1_000;
const WAIT_S = 55;

/** Asks what Claude Code asks, while it asks in its own terminal too; what the hook is to print, if Parley was first. */
export async function askThroughHub(terminal: Terminal, input: HookInput): Promise<object | undefined> {
  const tool_use_id = input.tool_use_id ?? (await writtenDown(input));
  const end = watchTerminal(input.transcript_path, tool_use_id);
  try {
    const ask = await firstContact(terminal, input, tool_use_id);
    const result = ask.result ?? (await resultOf(terminal, ask, end.signal));
    if (result) return outputOf(input, result);
    await settle(terminal, ask, questionTexts(input.tool_input), end.how());
    return undefined;
  } finally {
    end.stop();
  }
}

/** The call is written down a moment before or after the hook starts. */
async function writtenDown({ transcript_path, tool_input }: HookInput): Promise<string> {
  while (performance.now() < WRITTEN_DOWN_MS) {
    const found = openCall(transcript_path, questionTexts(tool_input));
    if (found !== undefined) return found;
    await sleep(50);
  }
  throw new End(EXIT.answered, "Claude Code has not written down this question: it is asked in its terminal alone.");
}

async function firstContact(terminal: Terminal, input: HookInput, id: string): Promise<AskView> {
  const { session_id: session_key, tool_input, cwd, transcript_path } = input;
  const folder = basename(cwd);
  const title = cutTo([folder, titleOf(transcript_path)].filter(Boolean).join(": "), 120);
  const call = { type: "tool_use", id, name: CLAUDE_TOOL, input: askOfClaude(tool_input) };
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(FIRST_CONTACT_MS - performance.now())));
  // Without the name of a person: it is Claude Code that asks.
  const asker = hubOf({ ...terminal, env: { PARLEY_URL: terminal.env.PARLEY_URL } });
  const ask = () => asker.call("ask", { body: { ...call, session_key, title, agent: "claude-code" }, signal });
  try {
    return (await ask().catch((error) => afterLimit(terminal, transcript_path, error, ask))).ask;
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new ClientError("unreachable", `Parley does not answer at ${hubUrl(terminal)}.`);
  }
}

/** Whoever speaks to the agent lets it ask anew, as in Parley itself; their words are not told to Parley, only that. */
async function afterLimit<Reply>(
  terminal: Terminal,
  transcript: string,
  error: unknown,
  ask: () => Promise<Reply>,
): Promise<Reply> {
  if (!(error instanceof ClientError) || error.code !== "recursive_limit_exceeded") throw error;
  if (asksSincePrompt(transcript) > DEFAULT_LIMITS.maxDepth) throw error;
  const { session_id } = error.details as { session_id: string };
  await hubOf(terminal).call("allowMore", { params: { id: session_id } });
  return ask();
}

/** Undefined: it was over at the terminal first. */
async function resultOf(terminal: Terminal, ask: AskView, signal: AbortSignal): Promise<Result | undefined> {
  const { session_id, tool_use_id } = ask;
  const hub = hubOf(terminal);
  const onTrouble = (error: Error) => terminal.say(`${error.message} The question is kept; trying again.`);
  try {
    for (;;) {
      const read = () => hub.call("readAsk", { params: { tool_use_id }, query: { session_id, wait: WAIT_S }, signal });
      const { result } = (await keepTrying(read, { forMs: Number.POSITIVE_INFINITY, signal, onTrouble })).ask;
      if (result) return result;
    }
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** Nothing where Parley has no answer: then the terminal still may. */
function outputOf({ tool_input }: HookInput, result: Result): object | undefined {
  const updatedInput = answeredInput(tool_input, result);
  if (updatedInput) return decision({ behavior: "allow", updatedInput });
  return result.outcome === "cancelled" ? decision({ behavior: "deny", message: result.content }) : undefined;
}

function decision(decided: object): object {
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: decided } };
}
