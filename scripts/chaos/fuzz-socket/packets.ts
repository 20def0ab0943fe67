import { type ClientCommand, ClientCommands } from "../../../lib/protocol/events.ts";
import { BODIES } from "../fuzz/bodies.ts";
import { changedAt } from "../fuzz/mutate.ts";
import type { World } from "../fuzz/requests.ts";
import { oddText, oddValue, write } from "../fuzz/values.ts";
import type { Random } from "../kit/random.ts";
import { frame } from "../kit/raw-socket.ts";

const COMMANDS = Object.keys(ClientCommands) as ClientCommand[];

/** A command of the contract with its input as JSON, either correct or with something wrong in it. */
export function commandPacket(random: Random, world: World, id: number): string {
  const command = random.pick(COMMANDS);
  const input = inputOf(random, world, command);
  const value = random.chance(0.3) ? input : random.chance(0.15) ? oddValue(random) : changedAt(random, input);
  const more = random.chance(0.05) ? `,${write(oddValue(random))}` : "";
  const nothing = random.chance(0.05);
  return `42${id}[${JSON.stringify(command)}${nothing ? "" : `,${write(value)}`}${nothing ? "" : more}]`;
}

function inputOf(random: Random, world: World, command: ClientCommand): Record<string, unknown> {
  const session = world.sessions.length > 0 ? random.pick(world.sessions) : "ses_none";
  const ask = world.asks.length > 0 ? random.pick(world.asks) : undefined;
  const target = { session_id: ask?.session_id ?? session, tool_use_id: ask?.tool_use_id ?? "none" };
  const { session_id: conversation_id, ...answer } = BODIES.answer(random, { session, ask, target }) as {
    session_id: string;
  };
  const watched = { conversation_id: session };
  const inputs: Record<ClientCommand, Record<string, unknown>> = {
    "conversation.subscribe": { ...watched, last_sequence: random.pick([0, 1, 7, 2_147_483_647]) },
    "conversation.unsubscribe": watched,
    "inbox.subscribe": {},
    "inbox.unsubscribe": {},
    "user.message": { ...watched, text: random.chance(0.2) ? oddText(random) : "Hello" },
    "user.input_response": {
      conversation_id,
      ...answer,
      ...(random.chance(0.2) && { resume_task: random.chance(0.5) }),
      ...(random.chance(0.2) && { idempotency_key: random.id(8) }),
    },
    "user.input_reply": {
      conversation_id,
      question_id: target.tool_use_id,
      text: random.chance(0.2) ? oddText(random) : "Neither",
      ...(random.chance(0.2) && { idempotency_key: random.id(8) }),
    },
    "user.input_cancel": { conversation_id, question_id: target.tool_use_id, reason: `no ${random.id(3)}` },
    "user.interrupt": watched,
    "presence.set": { ...watched, tool_use_id: target.tool_use_id, state: random.pick(["looking", "typing", "gone"]) },
    question_answer: { tool_use_id: target.tool_use_id, answers: { "0": random.pick(["1", "1,2", "other:x"]) } },
  };
  return inputs[command];
}

/** Frames that no library sends. The server may close the connection, and must do nothing worse. */
export function brokenFrames(random: Random, world: World): Buffer[] {
  const command = commandPacket(random, world, 1);
  const text = (packet: string) => [frame(packet)];
  return random.pick<() => Buffer[]>([
    // Socket.IO
    () => text(random.pick(["42", "42[]", "42{}", "42[1]", "42[null]", "42[[]]", "42x", "4", "41", "44", "49", "47"])),
    () => text(random.pick(['43999["x"]', "43", "43[]", '4399999999999999999999["x"]', "43-1[]", '44{"a":1}'])),
    () => text(`42[${write(oddText(random))},${write(oddValue(random))}]`),
    () => text(`42["${random.pick(RESERVED)}",${write(oddValue(random))}]`),
    () => text(`42${random.id(4)}["nothing.known",{}]`),
    () => text(random.pick(["40", "40/other,", "40/other,{}", '40{"sid":"x"}', "41/other,", '42/other,["x"]', "40[]"])),
    () => text(command.slice(0, random.int(command.length))),
    () => text(`42["user.message",${"[".repeat(random.pick([70, 5_000, 300_000]))}`),
    () => text(`42["user.message",${deep(random.pick([70, 5_000, 300_000]))}]`),
    () => text(`42["user.message","${"x".repeat(random.pick([900_000, 1_048_570, 1_200_000]))}"]`),
    // With attachments
    () => [frame('451-["user.message",{"_placeholder":true,"num":0}]'), frame(bytes(random, 2_000), 0x82)],
    () => [frame('451-["inbox.subscribe",{"_placeholder":true,"num":0}]'), frame(Buffer.alloc(900_000), 0x82)],
    () => [
      frame(`451-["user.message",{"_placeholder":true,"num":${random.pick(PLACES)}}]`),
      frame(bytes(random, 9), 0x82),
    ],
    () => text(`45${random.pick(["", "-", "0-", "-1-", "99999999999-", "1e9-", "x-", "1", "3-"])}["user.message",{}]`),
    () => [frame('452-["user.message",{}]'), frame(command)],
    () => [frame(`451-["user.message",${deep(300_000)}]`), frame(bytes(random, 9), 0x82)],
    () => [frame(bytes(random, 200), 0x82)],
    () => [frame('461-1[{"_placeholder":true,"num":0}]'), frame(bytes(random, 9), 0x82)],
    // Engine.IO
    () => text(random.pick(["", "0", "0{}", "1", "2probe", "3", "3probe", "5", "6", "7", "9", "b", "bAAAA", "\u001e"])),
    () => text(Array.from({ length: 50 }, () => random.pick(["2", "3", "6", command])).join("\u001e")),
    () => Array.from({ length: 100 }, () => frame(random.pick(["2", "3", "40"]))),
    // Websocket
    () => [Buffer.from([0x81, 0x03, 0x34, 0x32, 0x5b])],
    () => [frame(command, 0x80 | random.pick([3, 4, 7, 11, 15]))],
    () => [frame(command, random.pick([0xf1, 0xc1, 0x91, 0xa1]))],
    () => [frame(command, 0x80)],
    () => [frame("42[", 0x01), frame('"inbox.subscribe",{}]', 0x80)],
    () => [frame("42[", 0x01), frame("42[", 0x81)],
    () => [frame("42[", 0x01)],
    () => [frame("x".repeat(200), random.pick([0x88, 0x89, 0x8a]))],
    () => [frame(Buffer.from(random.pick([[3, 232], [0, 0], [3, 237], [255, 255], [1]])), 0x88)],
    () => Array.from({ length: 200 }, () => frame("p", random.pick([0x89, 0x8a]))),
    () => [frame(Buffer.from([0x34, 0x32, 0xff, 0xfe, 0xc0, 0x80]))],
    () => [Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])],
    () => [Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]), bytes(random, 5_000)],
    () => [bytes(random, random.between(1, 400))],
    () => [Buffer.from("GET /api/inbox HTTP/1.1\r\nHost: localhost\r\n\r\n")],
  ])();
}

const PLACES = ["1", "-1", "999", '"0"', "null", "0.5", "1e999", '"__proto__"', '"length"'];
const RESERVED = ["connect", "connect_error", "disconnect", "disconnecting", "newListener", "error", "__proto__"];

function deep(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

function bytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.int(256)));
}
