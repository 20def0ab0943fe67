import { roundOf } from "../../lib/domain/views/dialog-history.ts";
import type { Exchange } from "../../lib/domain/views/exchanges.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { MessageView } from "../../lib/protocol/message.ts";
import type { Round } from "../../lib/protocol/session.ts";

/** Splits the thread: messages before the first question, then each round with the messages after it. */
export type Stretch = { ask: AskView | undefined; key: string; messages: MessageView[] };

export function stretches(messages: readonly MessageView[], asks: ReadonlyMap<string, AskView>): Stretch[] {
  const found: Stretch[] = [];
  for (const message of messages) {
    const id = message.content.tool_use_id;
    const ask = typeof id === "string" ? asks.get(id) : undefined;
    if (message.type === "ask_user_question" && ask) {
      found.push({ ask, key: `round-${ask.round}`, messages: [] });
      continue;
    }
    if (found.length === 0) found.push({ ask: undefined, key: "before", messages: [] });
    // The card already shows the outcome of a question and answers to parts of it.
    if (ask && message.type === "tool_result") continue;
    found.at(-1)?.messages.push(message);
  }
  return found;
}

/** Every round of the conversation, with the current state of its ask. */
export function roundsOf(told: readonly Round[], asks: ReadonlyMap<string, AskView>): Round[] {
  const rounds = new Map(told.map((round) => [round.round, round]));
  for (const ask of asks.values()) rounds.set(ask.round, roundOf(ask));
  return [...rounds.values()].sort((a, b) => a.round - b.round);
}

/** A line of the outline: a message of a person, or a question of the agent. */
export type OutlineEntry = { exchange: Exchange } | { round: Round };

/** Groups rounds under the exchange in which they were asked, in thread order. */
export function outlineOf(rounds: readonly Round[], exchanges: readonly Exchange[]): OutlineEntry[] {
  const at = (entry: OutlineEntry) => ("round" in entry ? entry.round : entry.exchange).sequence_num;
  return [...exchanges.map((exchange) => ({ exchange })), ...rounds.map((round) => ({ round }))].sort(
    (a, b) => at(a) - at(b),
  );
}

/** How long each thought took, from the previous message until it was complete. */
export function thinkingTimes(messages: readonly MessageView[]): ReadonlyMap<number, number> {
  const times = new Map<number, number>();
  messages.forEach((message, index) => {
    const before = messages[index - 1];
    if (message.type === "thinking" && before) {
      times.set(message.sequence_num, Date.parse(message.timestamp) - Date.parse(before.timestamp));
    }
  });
  return times;
}
