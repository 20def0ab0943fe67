import { type FSWatcher, statSync, watch } from "node:fs";
import { endOf, type TerminalOutcome } from "./transcript.ts";

/** For file systems that cannot be watched, and to see whether Claude Code still runs. */
const LOOK_MS = 500;
/** When Claude Code ends a hook it allows about a second, and may write down the reason only then. */
const LAST_WORDS_MS = 400;

export type TerminalEnd = {
  /** Checks again whether the question has ended at the terminal. */
  isOver: () => boolean;
  /** Aborted once the question has ended at the terminal: answered, declined, or Claude Code is gone. */
  signal: AbortSignal;
  how: () => TerminalOutcome | "gone";
  stop: () => void;
};

/** Watches how a question ends in the terminal of Claude Code, which does not tell a waiting hook that someone answered. */
export function watchTerminal(transcript: string, tool_use_id: string): TerminalEnd {
  const over = new AbortController();
  const parent = process.ppid;
  let seen = -1;
  let end: TerminalOutcome | "gone" = "gone";
  let lastWordsAt: number | undefined;

  const look = () => {
    const size = sizeOf(transcript);
    const found = size === seen ? undefined : endOf(transcript, tool_use_id);
    seen = size;
    if (found) end = found;
    // When the parent is killed, the child gets another one.
    if (found || process.ppid !== parent || (lastWordsAt !== undefined && performance.now() > lastWordsAt))
      over.abort();
  };
  const asked = () => {
    lastWordsAt ??= performance.now() + LAST_WORDS_MS;
  };
  const timer = setInterval(look, LOOK_MS);
  const watcher = watched(transcript, look);
  process.on("SIGTERM", asked);
  return {
    isOver: () => {
      look();
      return over.signal.aborted;
    },
    signal: over.signal,
    how: () => end,
    stop: () => {
      clearInterval(timer);
      watcher?.close();
      process.off("SIGTERM", asked);
    },
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function watched(path: string, onChange: () => void): FSWatcher | undefined {
  try {
    return watch(path, { persistent: false }, onChange).on("error", () => {});
  } catch {
    return undefined;
  }
}
