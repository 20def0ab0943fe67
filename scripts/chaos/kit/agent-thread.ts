import type { MessageView } from "../../../lib/protocol/message.ts";
import type { Random } from "./random.ts";

/** The message that starts a demo scenario, the answers in order, and the thread that must result. */
export type Play = { message: string; answers: unknown[]; expected: Expected[] };
type Expected = { type: MessageView["type"]; says?: string };

const AGAIN = "One more multi-select";

/** Picks a demo scenario with some rounds before the last one; the thread must show the choice of each round. */
export function play(random: Random): Play {
  const before = random.int(3);
  return random.chance(0.5) ? ports(random, before) : choices(random, before);
}

function ports(random: Random, before: number): Play {
  const wrong = Array.from({ length: before }, () => `no port ${random.id(6)}`);
  const right = String(random.between(1_024, 65_535));
  const expected: Expected[] = [{ type: "text", says: "port" }, { type: "thinking" }, { type: "ask_user_question" }];
  for (const answer of wrong)
    expected.push({ type: "tool_result", says: answer }, { type: "ask_user_question", says: answer });
  expected.push({ type: "tool_result", says: right }, { type: "text", says: right }, { type: "complete" });
  return { message: "port", answers: [...wrong, right], expected };
}

function choices(random: Random, before: number): Play {
  const [label, says] = random.pick([
    ["Print a smiley", "😊"],
    ["Tell a joke", "wait"],
  ] as const);
  const expected: Expected[] = [
    { type: "text" },
    { type: "thinking" },
    { type: "text" },
    { type: "ask_user_question" },
  ];
  for (let round = 0; round < before; round++)
    expected.push({ type: "tool_result", says: AGAIN }, { type: "text" }, { type: "ask_user_question" });
  expected.push({ type: "tool_result", says: label }, { type: "text", says }, { type: "text" }, { type: "complete" });
  return { message: "rounds please", answers: [...Array(before).fill([AGAIN]), [label]], expected };
}

/** Lists the differences between a finished thread and the one that an undisturbed run produces. */
export function faultsInThread(messages: MessageView[], { expected }: Play, turn_id: string): string[] {
  const types = messages.map(({ type }) => type).join(", ");
  const expectedTypes = expected.map(({ type }) => type).join(", ");
  if (types !== expectedTypes) return [`the thread is ${types}, and should be ${expectedTypes}`];
  const found: string[] = [];
  const uuids = new Set(messages.map(({ uuid }) => uuid));
  if (uuids.size < messages.length) found.push("two messages have the same uuid");
  let asked: unknown;
  for (const [index, message] of messages.entries()) {
    const about = `message ${message.sequence_num} (${message.type})`;
    const { says } = expected[index] ?? {};
    if (message.sequence_num !== index + 1) found.push(`${about} is in place ${index + 1}`);
    if (message.turn_id !== turn_id) found.push(`${about} is of turn ${message.turn_id}, not ${turn_id}`);
    if (says !== undefined && !JSON.stringify(message.content).includes(says))
      found.push(`${about} does not say ${says}: ${JSON.stringify(message.content).slice(0, 200)}`);
    if (message.type === "ask_user_question") asked = message.content.tool_use_id;
    if (message.type === "tool_result" && message.content.tool_use_id !== asked)
      found.push(`${about} is the result of another ask`);
  }
  return found;
}
