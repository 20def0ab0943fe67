import { type FSWatcher, statSync, watch } from "node:fs";
import { type Ended, endOf } from "./transcript.ts";

/** Where the file cannot be watched, and to see whether Claude Code is still there. */
const LOOK_MS = 500;
/** Claude Code gives a hook that it ends about a second, and may write down why only then. */
const LAST_WORDS_MS = 400;

export type TerminalEnd = {
  /** Looks once more. True: it is over at the terminal. */
  isOver: () => boolean;
  /** Aborted once the question is over at the terminal: answered, declined, or Claude Code is gone. */
  signal: AbortSignal;
  how: () => Ended | "gone";
  stop: () => void;
};

/** Sees how a question ends in the terminal of Claude Code, which tells a waiting hook nothing when somebody answers. */
export function watchTerminal(transcript: string, tool_use_id: string): TerminalEnd {
  const over = new AbortController();
  const parent = process.ppid;
  let seen = -1;
  let end: Ended | "gone" = "gone";
  let lastWordsAt: number | undefined;

  const look = () => {
    const size = sizeOf(transcript);
    const found = size === seen ? undefined : endOf(transcript, tool_use_id);
    seen = size;
    if (found) end = found;
    // A child whose parent was killed gets another one.
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
