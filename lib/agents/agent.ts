import type { OpenTurn } from "../hub/turns/open-turn.ts";
import type { NewAgentMessage } from "../hub/turns/say.ts";
import type { Result } from "../protocol/ask.ts";
import type { MessageView } from "../protocol/message.ts";

/** Text as it comes: whole, or in pieces. */
export type Parts = string | Iterable<string> | AsyncIterable<string>;

/** What an agent is given for one turn. Everything it does is durable when its promise resolves. */
export type AgentRun = {
  conversation_id: string;
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
  /** Asks, in any shape, and waits as long as it takes, even across a restart of Parley. `raw_event` is kept beside it. */
  ask: (request: Record<string, unknown>, raw_event?: unknown) => Promise<Result>;
  /** For an agent with a record of its own. */
  own: OwnRecord;
};

/**
 * An agent that keeps its own record of what it did need not do it again in the same order: it takes what Parley has of
 * this turn, and from then on everything it does is new.
 */
export type OwnRecord = {
  /** What this turn said and asked before a restart, and for which asks it was put away; empty in a new turn. */
  take: () => Pick<OpenTurn, "recorded" | "parked_for">;
  /** A message as the agent made it, with its raw event. */
  say: (said: NewAgentMessage) => Promise<void>;
  /** A piece of a block that is not finished; `text` is the block so far. */
  stream: (type: "text" | "thinking", delta: string, text: string) => void;
  /** The event with which the agent ended: kept beside the end of the turn. */
  ended: (raw_event: unknown) => void;
  /** Waits for the result of an ask that was made before. */
  resultOf: (tool_use_id: string) => Promise<Result>;
  /** Its result as it is, without waiting; undefined while it is open. */
  resultNow: (tool_use_id: string) => Promise<Result | undefined>;
  /** Notes that nothing runs until this ask is settled. */
  park: (tool_use_id: string) => Promise<void>;
  /** Called when Parley stops, before the signal aborts: what waits can be put away. */
  beforeStop: (putAway: () => Promise<void>) => void;
};

/** Ends the turn with words for the person. Any other error keeps its cause to the log. */
export class AgentFailure extends Error {}

/**
 * An agent is a function of its run. After a restart, a turn that waited for an answer is run again from its beginning:
 * what it said and asked before is not said and asked again, so it must say and ask the same, in the same order.
 */
export type Agent = { name: string; about: string; run: (run: AgentRun) => Promise<void> };
