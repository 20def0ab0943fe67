import type { Result } from "../protocol/ask.ts";
import type { MessageView } from "../protocol/message.ts";

/** Text as it comes: whole, or in pieces. */
export type Parts = string | Iterable<string> | AsyncIterable<string>;

/** What an agent is given for one turn. Everything it does is durable when its promise resolves. */
export type AgentRun = {
  /** What the person said. */
  message: string;
  /** The thread before it. */
  history: MessageView[];
  /** Aborted when the person stops the agent. Everything here rejects from then on. */
  signal: AbortSignal;
  /** False: what is done now was done before a restart; nothing needs to take its time. */
  isLive: () => boolean;
  text: (parts: Parts) => Promise<void>;
  thinking: (parts: Parts) => Promise<void>;
  /** Returns the id that the result belongs to. */
  toolUse: (name: string, input: Record<string, unknown>) => Promise<string>;
  toolResult: (id: string, content: string, options?: { is_error?: boolean }) => Promise<void>;
  info: (text: string) => Promise<void>;
  /** Something went wrong that does not end the turn. */
  error: (text: string) => Promise<void>;
  /** Asks, and waits as long as it takes: also over a restart of Parley. In any shape. */
  ask: (request: Record<string, unknown>) => Promise<Result>;
};

/**
 * An agent is a function of its run. After a restart, a turn that waited for an answer is run again from its beginning:
 * what it said and asked before is not said and asked again, so it must say and ask the same, in the same order.
 */
export type Agent = { name: string; about: string; run: (run: AgentRun) => Promise<void> };
