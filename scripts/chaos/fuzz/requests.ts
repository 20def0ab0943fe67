import type { AskView } from "../../../lib/protocol/ask.ts";
import { OPERATIONS, type OperationId } from "../../../lib/protocol/operations.ts";
import type { Random } from "../kit/random.ts";
import { BODIES } from "./bodies.ts";
import { credential, idIn, type TeamWorld, teamBody, teamOperation } from "./team-requests.ts";
import { oddText } from "./values.ts";

export type FuzzRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** A value to be sent as JSON, or a text to be sent as it is. */
  body?: unknown;
};

/** Ids from earlier replies: requests with real ids get further. */
export type World = { sessions: string[]; asks: AskView[]; cursors: string[]; team?: TeamWorld };

/** An event stream has no end; other scenarios watch it. */
const IDS = (Object.keys(OPERATIONS) as OperationId[]).filter((id) => id !== "events");
const ASKING: readonly OperationId[] = ["ask", "answer", "answerMany", "ask", "answer"];

/** A correct request for any operation. */
export function validRequest(random: Random, world: World): FuzzRequest {
  const { team } = world;
  const isTeams = team !== undefined && random.chance(0.7);
  const id = isTeams ? teamOperation(random) : random.chance(0.4) ? random.pick(ASKING) : random.pick(IDS);
  const { method, path } = OPERATIONS[id];
  const session = world.sessions.length > 0 ? random.pick(world.sessions) : "ses_none";
  const ask = world.asks.length > 0 ? random.pick(world.asks) : undefined;
  const target = { session_id: ask?.session_id ?? session, tool_use_id: ask?.tool_use_id ?? "none" };
  const query = queryOf(random, world, id, target.session_id);
  const place = path
    .replace("{id}", encodeURIComponent((team && idIn(path, random, team)) ?? session))
    .replace("{n}", String(random.between(1, 3)))
    .replace("{tool_use_id}", encodeURIComponent(target.tool_use_id));
  const ofTeam = team && teamBody(id, random, team);
  return {
    method: method.toUpperCase(),
    path: `${place}${query}`,
    headers: { ...headersOf(random, id), ...(team && credential(random, team)) },
    ...(ofTeam !== undefined && { body: ofTeam }),
    ...(id in BODIES && { body: BODIES[id as keyof typeof BODIES](random, { session, ask, target }) }),
  };
}

function queryOf(random: Random, world: World, id: OperationId, session_id: string): string {
  const cursor = world.cursors.length > 0 && random.chance(0.5) ? random.pick(world.cursors) : oddCursor(random);
  const fields: Record<string, string> =
    id === "readAsk"
      ? { session_id, wait: random.pick(["0", "0.01", "0.02"]) }
      : id === "audit"
        ? { session_id, cursor: random.pick(["0", "3", "2147483648", "9007199254740991"]), limit: "10" }
        : id === "inbox"
          ? {
              status: random.pick(["open", "closed", "all"]),
              q: random.pick(["which", "%", "_!", ""]),
              cursor,
              limit: "5",
            }
          : id === "listSessions"
            ? { cursor, limit: "3" }
            : id === "readMessages"
              ? { after: random.pick(["0", "1", "2147483647"]), limit: "20" }
              : id === "answer"
                ? { ask: random.pick(["true", "false"]) }
                : {};
  const kept = Object.entries(fields).filter(([name]) => name === "session_id" || random.chance(0.6));
  return kept.length === 0 ? "" : `?${kept.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`;
}

/** Clients hold cursors, so someone will decode one and write their own. */
function oddCursor(random: Random): string {
  const inside = [
    random.pick(["open", "closed", "other"]),
    random.pick([0, -1, 2 ** 53 - 1, 1e300, "x"]),
    random.pick([0, 5, -(2 ** 53 - 1)]),
    random.pick(["inb_1", "", "a\u0000b", "\ud800", "'"]),
  ];
  if (random.chance(0.6)) return Buffer.from(JSON.stringify(inside)).toString("base64url");
  return random.pick([
    "",
    "0.x",
    "999999999999999.ses_1",
    "1.__proto__",
    "e30",
    "bnVsbA",
    oddText(random).slice(0, 300).toWellFormed(),
  ]);
}

function headersOf(random: Random, id: OperationId): Record<string, string> {
  const type = id === "importSession" ? random.pick(["application/x-ndjson", "application/jsonl"]) : "application/json";
  return {
    "content-type": type,
    ...(random.chance(0.2) && { "idempotency-key": random.id(random.pick([5, 256, 257])) }),
    ...(random.chance(0.2) && {
      "x-parley-name": random.pick(["Mia", "%F0%9F%98%80", "%zz", encodeURIComponent("a😀".repeat(80)), "é"]),
    }),
    ...(random.chance(0.2) && {
      "accept-language": random.pick(["zh", "ja;q=0.5, en", "*", ";;;q=x", "q".repeat(3_000)]),
    }),
  };
}
