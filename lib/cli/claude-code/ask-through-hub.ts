import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ClientError } from "../../client.ts";
import { answeredInput, askOfClaude, CLAUDE_TOOL } from "../../domain/shapes/claude-code.ts";
import type { AskView, Result } from "../../protocol/ask.ts";
import { cutTo } from "../../protocol/characters.ts";
import { DEFAULT_LIMITS } from "../../protocol/limits.ts";
import { createTerminalClient } from "../terminal/hub-client.ts";
import { hubUrl } from "../terminal/hub-url.ts";
import { keepTrying } from "../terminal/keep-trying.ts";
import { CommandExit, EXIT, type Terminal } from "../terminal/terminal.ts";
import { asAgent } from "./as-agent.ts";
import type { AskingInput } from "./hook-input.ts";
import { settle } from "./settle.ts";
import { watchTerminal } from "./terminal-end.ts";
import { asksSincePrompt, openCall, questionTexts, titleOf } from "./transcript.ts";

/** Counted from the first check: on a busy machine this process may start late, and Claude Code may write late. */
const WRITTEN_DOWN_MS = 5_000;
const WAIT_S = 55;
/** How often to check whether someone has allowed more questions. */
const ALLOWED_MS = 2_000;

/** Asks Claude Code's question through Parley while its own dialog is open. Returns what the hook prints if Parley was first. */
export async function askThroughHub(terminal: Terminal, input: AskingInput): Promise<object | undefined> {
  const tool_use_id = input.tool_use_id ?? (await writtenDown(input));
  const end = watchTerminal(input.transcript_path, tool_use_id);
  try {
    const ask = await untilOver(end.signal, () => asked(terminal, input, tool_use_id, end.signal));
    if (!ask) return undefined;
    const result = ask.result ?? (await untilOver(end.signal, () => resultOf(terminal, ask, end.signal)));
    if (result && !end.isOver()) return outputOf(input, result);
    await settle(terminal, ask, questionTexts(input.tool_input), end.how());
    return undefined;
  } finally {
    end.stop();
  }
}

/** Undefined if the question ended at the terminal first. */
async function untilOver<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** Finds the id of the call. Claude Code writes it down a moment before or after the hook starts. */
async function writtenDown({ transcript_path, tool_input }: AskingInput): Promise<string> {
  const end = performance.now() + WRITTEN_DOWN_MS;
  while (performance.now() < end) {
    const found = openCall(transcript_path, questionTexts(tool_input));
    if (found !== undefined) return found;
    await sleep(50);
  }
  throw new CommandExit(
    EXIT.answered,
    "Claude Code has not recorded this question, so it is asked only in its terminal.",
  );
}

/** Creates the ask. Retries until the question ends at the terminal: the dialog there is open, so nobody is blocked. */
async function asked(terminal: Terminal, input: AskingInput, id: string, signal: AbortSignal): Promise<AskView> {
  const { session_id: session_key, tool_input, cwd, transcript_path } = input;
  const folder = basename(cwd);
  const title = cutTo([folder, titleOf(transcript_path)].filter(Boolean).join(": "), 120);
  const { dialect, ...questions } = askOfClaude(tool_input);
  const call = { type: "tool_use", id, name: CLAUDE_TOOL, input: questions, dialect };
  const asker = createTerminalClient(asAgent.at(terminal), "agent");
  const ask = () => asker.call("ask", { body: { ...call, session_key, title, agent: asAgent.name }, signal });
  const onTrouble = (error: Error) => terminal.say(`${error.message} Trying again while the question is open.`);
  const trying = () => keepTrying(ask, { forMs: Number.POSITIVE_INFINITY, signal, onTrouble });
  const allowed = (error: unknown) => afterLimit(terminal, transcript_path, error, trying, signal);
  return (await trying().catch(allowed)).ask;
}

/**
 * A prompt from a person resets the ask limit, as in Parley itself, but Parley does not see the prompt. Without accounts this
 * program allows more as that person. An agent's key cannot lift its own limit, so someone must allow more in Parley.
 */
async function afterLimit<Reply>(
  terminal: Terminal,
  transcript: string,
  error: unknown,
  ask: () => Promise<Reply>,
  signal: AbortSignal,
): Promise<Reply> {
  if (!isLimit(error)) throw error;
  if (asksSincePrompt(transcript) > DEFAULT_LIMITS.maxDepth) throw error;
  const id = error.details?.session_id;
  if (id === undefined) throw error;
  try {
    await createTerminalClient(terminal, "agent").call("allowMore", { params: { id } });
  } catch (refused) {
    if (!(refused instanceof ClientError) || refused.code !== "forbidden") throw refused;
    const where = `${hubUrl(terminal)}/conversations/${id}`;
    terminal.say(`${error.message} Someone can allow more in Parley (${where}); until then, answer here.`);
    return onceAllowed(ask, signal);
  }
  return ask();
}

/** Asks again from time to time while the question is open. */
async function onceAllowed<Reply>(ask: () => Promise<Reply>, signal: AbortSignal): Promise<Reply> {
  for (;;) {
    await sleep(ALLOWED_MS, undefined, { signal });
    try {
      return await ask();
    } catch (error) {
      if (!isLimit(error)) throw error;
    }
  }
}

function isLimit(error: unknown): error is ClientError {
  return error instanceof ClientError && error.code === "recursive_limit_exceeded";
}

async function resultOf(terminal: Terminal, ask: AskView, signal: AbortSignal): Promise<Result> {
  const { session_id, tool_use_id } = ask;
  const hub = createTerminalClient(terminal, "agent");
  const onTrouble = (error: Error) => terminal.say(`${error.message} The question is kept; trying again.`);
  for (;;) {
    const read = () => hub.call("readAsk", { params: { tool_use_id }, query: { session_id, wait: WAIT_S }, signal });
    const { result } = (await keepTrying(read, { forMs: Number.POSITIVE_INFINITY, signal, onTrouble })).ask;
    if (result) return result;
  }
}

/** Undefined if Parley has no answer: the terminal may still get one. */
function outputOf({ tool_input }: AskingInput, result: Result): object | undefined {
  const updatedInput = answeredInput(tool_input, result);
  if (updatedInput) return decision({ behavior: "allow", updatedInput });
  return result.outcome === "cancelled" ? decision({ behavior: "deny", message: result.content }) : undefined;
}

function decision(decided: object): object {
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: decided } };
}
