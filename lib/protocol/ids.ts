import { z } from "zod";

/** The prefix of an id says what it names. Ids made elsewhere (`tool_use_id`, `question_id`) are used unchanged. */
export const ID_PREFIX = {
  conversation: "ses",
  turn: "turn",
  ask: "ask",
  inbox: "inb",
  command: "cmd",
  trace: "trc",
  node: "node",
  person: "per",
  space: "spc",
  key: "key",
  authSession: "sgn",
  token: "ott",
  channel: "chn",
  notification: "ntf",
} as const;

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const pool = new Uint8Array(16 * 256);
let used = pool.length;

/** Prefix, 10 characters of time, 16 random ones: new ids sort after old ones, so that indexes grow at their end. */
export function newId(kind: keyof typeof ID_PREFIX, now: number): string {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  let id = "";
  for (let rest = now, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) id = ALPHABET.charAt(rest % 32) + id;
  for (let i = 0; i < 16; i++) id += ALPHABET.charAt((pool[used++] ?? 0) % 32);
  return `${ID_PREFIX[kind]}_${id}`;
}

/** JSON and zod drop this key from objects, so a value stored under it would be lost. */
export const isUsableKey = (key: string): boolean => key !== "__proto__";

/** URLs drop `.` and `..`, even percent-encoded, so nobody could read an ask with such an id over REST. */
export const isAddressable = (id: string): boolean => id !== "." && id !== "..";
export const NOT_ADDRESSABLE = "cannot be . or .., because no URL can hold them";

const id = (what: string) => z.string().min(1).max(256).refine(isUsableKey, "cannot be an id").describe(what);

export const SessionId = id("The conversation: `conversation_id` on sockets, `session_id` over REST.");
export const ToolUseId = id("The ask: the id of the agent's tool call. Parley makes one if the agent sends none.");
export const QuestionId = id("The question, unique in its conversation.");
