import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { stripControls } from "../domain/clean-text.ts";
import { cleaned } from "../domain/read-input.ts";
import type { Hub } from "../hub/hub.ts";
import type { OpenTurn } from "../hub/turns/open-turn.ts";
import type { NewAgentMessage } from "../hub/turns/say.ts";
import type { Call } from "../protocol/actor.ts";
import type { Result } from "../protocol/ask.ts";
import { isParleyError } from "../protocol/errors.ts";
import type { MessageType } from "../protocol/message.ts";
import type { AgentRun, Parts } from "./agent.ts";

/** A piece of an unfinished block: streamed, never stored. `text` is the block so far. */
export type Delta = {
  conversation_id: string;
  turn_id: string;
  type: "text" | "thinking";
  delta: string;
  text: string;
};

export class InputTimeout extends Error {}
class Interrupted extends Error {}

type RunOptions = {
  hub: Hub;
  conversation_id: string;
  turn_id: string;
  message: string;
  history: OpenTurn["history"];
  recorded: OpenTurn["recorded"];
  parked_for: OpenTurn["parked_for"];
  signal: AbortSignal;
  call: () => Call;
  onDelta: (delta: Delta) => void;
  onEnded: (raw_event: unknown) => void;
  /** This node no longer runs the turn: aborts the signal. */
  onLost: () => void;
  /** Retries while the database is unavailable. */
  patiently: <Result>(work: () => Promise<Result>) => Promise<Result | undefined>;
  beforeStop: (park: () => Promise<void>) => void;
};

const A_DAY = 86_400;
const RELEASED_MS = 1_000;

/**
 * The run of one turn. It is a door like the others, so it cleans texts. What was recorded before a restart is skipped, in
 * order, instead of being done again.
 */
export function createRun(options: RunOptions): AgentRun {
  const { hub, conversation_id, turn_id, history, recorded, parked_for, signal, call } = options;
  const { onDelta, onEnded, onLost, patiently, beforeStop } = options;
  const toSkip = [...recorded];

  const recall = (type: MessageType) => {
    const next = toSkip.shift();
    if (next && next.type !== type)
      throw new Error(`after the restart the agent did ${type} where it had done ${next.type}`);
    return next;
  };

  const lost = () => {
    onLost();
    return new Interrupted("the turn has ended, or another node runs it");
  };

  const say = async (message: NewAgentMessage) => {
    signal.throwIfAborted();
    if (!(await hub.say(call(), conversation_id, turn_id, cleanedMessage(message)))) throw lost();
  };

  /** Drops pieces after the turn was stopped: nobody would ever finish the block. */
  const stream = (type: Delta["type"], delta: string, text: string) => {
    if (signal.aborted) return;
    onDelta({ conversation_id, turn_id, type, delta, text });
  };

  const block = async (type: "text" | "thinking", parts: Parts) => {
    if (recall(type)) return;
    let [text, shown] = ["", ""];
    for await (const delta of typeof parts === "string" ? [parts] : parts) {
      signal.throwIfAborted();
      text += delta;
      const shownDelta = stripControls(delta);
      shown += shownDelta;
      stream(type, shownDelta, shown);
    }
    await say(
      type === "text"
        ? { type, role: "assistant", content: { text } }
        : { type, role: "assistant", content: { thinking: text } },
    );
  };

  const settled = async (tool_use_id: string): Promise<Result> => {
    for (;;) {
      const ask = await patiently(() => hub.wait(call(), { conversation_id, tool_use_id, seconds: A_DAY, signal }));
      signal.throwIfAborted();
      if (!ask?.result) {
        // Parley is shutting down and released all waits; the turn continues elsewhere.
        await sleep(RELEASED_MS, undefined, { signal });
        continue;
      }
      // Another node may have taken the turn over while it waited: then the answer is only for that node.
      const ours = await patiently(() => hub.runsTurn(turn_id));
      signal.throwIfAborted();
      if (!ours) throw lost();
      hub.noteDelivery(call(), ask);
      const unanswered = ask.result.outcome === "timeout" && ask.result.decided_by.kind !== "default";
      if (unanswered && ask.questions.some((question) => question.required)) throw new InputTimeout(ask.result.content);
      return ask.result;
    }
  };

  return {
    conversation_id,
    message: options.message,
    history,
    signal,
    isLive: () => toSkip.length === 0,
    text: (parts) => block("text", parts),
    thinking: (parts) => block("thinking", parts),
    toolUse: async (name, input) => {
      const before = recall("tool_use");
      if (before) return String(before.content.id);
      const id = `toolu_${randomUUID().replaceAll("-", "").slice(0, 24)}`;
      await say({ type: "tool_use", role: "assistant", content: { id, name, input } });
      return id;
    },
    toolResult: async (id, content, { is_error = false } = {}) => {
      if (!recall("tool_result"))
        await say({ type: "tool_result", role: "user", content: { tool_use_id: id, content, is_error } });
    },
    // The record does not include info messages, because Parley writes such messages too.
    info: async (text) => {
      if (toSkip.length === 0) await say({ type: "info", role: "system", content: { text } });
    },
    error: async (text) => {
      if (!recall("error")) await say({ type: "error", role: "system", content: { text } });
    },
    ask: async (request, raw_event) => {
      const before = recall("ask_user_question");
      if (before) return settled(String(before.content.tool_use_id));
      const asked = await hub
        .ask(call(), { ...cleaned(request), conversation_id }, turn_id, raw_event)
        .catch((error) => {
          if (isParleyError(error) && error.code === "conversation_interrupted") throw lost();
          throw error;
        });
      return settled(asked.tool_use_id);
    },
    own: {
      take: () => ({ recorded: toSkip.splice(0), parked_for }),
      say,
      stream,
      ended: onEnded,
      resultOf: settled,
      resultNow: async (tool_use_id) => {
        const ask = await patiently(() => hub.readAsk(call(), { conversation_id, tool_use_id }));
        if (ask) hub.noteDelivery(call(), ask);
        return ask?.result ?? undefined;
      },
      park: (tool_use_id) => hub.park(call(), conversation_id, turn_id, tool_use_id),
      beforeStop,
    },
  };
}

function cleanedMessage<Message extends NewAgentMessage>(message: Message): Message {
  return { ...message, content: cleaned(message.content, Number.POSITIVE_INFINITY) };
}
