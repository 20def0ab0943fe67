import type { OpenTurn } from "../hub/turns/open-turn.ts";
import type { NewAgentMessage } from "../hub/turns/say.ts";
import type { Result } from "../protocol/ask.ts";
import type { MessageView } from "../protocol/message.ts";

/** Text, whole or streamed. */
export type Parts = string | Iterable<string> | AsyncIterable<string>;

/** One turn, as the agent sees it. Everything it does is durable when its promise resolves. */
export type AgentRun = {
  conversation_id: string;
  /** What the person said. */
  message: string;
  /** The thread before that. */
  history: MessageView[];
  /** Aborts when a person stops the agent. From then on everything here rejects. */
  signal: AbortSignal;
  /** False while the turn repeats what it did before a restart: no need to pace anything. */
  isLive: () => boolean;
  text: (parts: Parts) => Promise<void>;
  thinking: (parts: Parts) => Promise<void>;
  /** Returns the id that the result belongs to. */
  toolUse: (name: string, input: Record<string, unknown>) => Promise<string>;
  toolResult: (id: string, content: string, options?: { is_error?: boolean }) => Promise<void>;
  info: (text: string) => Promise<void>;
  /** Reports an error that does not end the turn. */
  error: (text: string) => Promise<void>;
  /** Asks, in any shape, and waits as long as it takes, even across a restart. `raw_event` is stored with the ask. */
  ask: (request: Record<string, unknown>, raw_event?: unknown) => Promise<Result>;
  /** For an agent that keeps its own record. */
  own: OwnRecord;
};

/**
 * An agent that keeps its own record does not repeat its turn after a restart: it takes what Parley has of the turn, and
 * from then on everything it does is new.
 */
export type OwnRecord = {
  /** What this turn said and asked before a restart, and the ask it was parked for; empty in a new turn. */
  take: () => Pick<OpenTurn, "recorded" | "parked_for">;
  /** Stores a message with its raw event. */
  say: (message: NewAgentMessage) => Promise<void>;
  /** Streams a piece of an unfinished block; `text` is the block so far. */
  stream: (type: "text" | "thinking", delta: string, text: string) => void;
  /** The last event of the agent, stored with the end of the turn. */
  ended: (raw_event: unknown) => void;
  /** Waits for the result of an earlier ask. */
  resultOf: (tool_use_id: string) => Promise<Result>;
  /** The result of an ask, without waiting; undefined while it is open. */
  resultNow: (tool_use_id: string) => Promise<Result | undefined>;
  /** Records that nothing runs until this ask is settled. */
  park: (tool_use_id: string) => Promise<void>;
  /** Runs when Parley stops, before the signal aborts, so that the agent can park. */
  beforeStop: (park: () => Promise<void>) => void;
};

/** Ends the turn with a message for the person. Any other error only goes to the log. */
export class AgentFailure extends Error {}

/**
 * An agent is a function of its run. After a restart, a turn that was waiting for an answer runs again from its
 * beginning. What it already said and asked is skipped, so it must say and ask the same, in the same order.
 */
export type Agent = { name: string; about: string; run: (run: AgentRun) => Promise<void> };
