import type { Random } from "../kit/random.ts";
import type { FuzzRequest } from "./requests.ts";
import { oddText, oddValue, write } from "./values.ts";

type JsonObject = Record<string, unknown>;

/** The same request with one or several things wrong in it. */
export function mutated(random: Random, request: FuzzRequest): FuzzRequest {
  let changed = request;
  for (let more = true; more; more = random.chance(0.25)) changed = random.pick(MUTATIONS)(random, changed);
  return changed;
}

/** The body as it is sent. */
export function bodyText({ body }: FuzzRequest): string | undefined {
  if (body === undefined) return undefined;
  if (typeof body !== "string") return write(body);
  if (!body.startsWith("@json:")) return body;
  return body
    .split("\n")
    .map((line) => write(JSON.parse(line.slice("@json:".length))))
    .join("\n");
}

const inBody = (random: Random, request: FuzzRequest): FuzzRequest =>
  request.body === undefined || typeof request.body === "string"
    ? request
    : { ...request, body: changedAt(random, request.body) };

const MUTATIONS: Array<(random: Random, request: FuzzRequest) => FuzzRequest> = [
  inBody,
  inBody,
  inBody,
  inBody,
  (random, request) => ({ ...request, body: write(oddValue(random)) }),
  (random, request) => ({ ...request, body: brokenText(random, request) }),
  (random, request) => ({
    ...request,
    method: random.pick(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE"]),
  }),
  (random, request) => ({ ...request, headers: { ...request.headers, "content-type": random.pick(MEDIA) } }),
  (random, request) => ({ ...request, path: oddPath(random, request.path) }),
  (random, request) => ({ ...request, headers: { ...request.headers, ...random.pick(HEADERS) } }),
];

const MEDIA = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/json; charset=utf-16",
  "APPLICATION/JSON",
  "json",
  "",
  "application/xml",
  "application/x-ndjson",
];

const HEADERS: Array<Record<string, string>> = [
  { accept: "text/html" },
  { range: "bytes=0-1" },
  { "if-none-match": "*" },
  { expect: "200-ok" },
  { "content-encoding": "gzip" },
  { "x-http-method-override": "DELETE" },
  { "x-forwarded-host": "evil.example", "x-forwarded-for": "1.2.3.4" },
  { "next-action": "1" },
  { rsc: "1", "next-router-state-tree": "%5B" },
  { cookie: "a=b; ".repeat(500) },
  { "x-parley-name": "%00%0a%e2%80%ae" },
  { "idempotency-key": "\u00ff".repeat(256) },
];

/** Replaces, removes, duplicates or extends one place somewhere in the value. */
export function changedAt(random: Random, value: unknown): unknown {
  if (typeof value !== "object" || value === null || random.chance(0.25)) return oddValue(random);
  const keys = Object.keys(value);
  if (keys.length === 0 || random.chance(0.1)) return { ...value, [oddText(random).slice(0, 500)]: oddValue(random) };
  const key = random.pick(keys);
  // A long wait is the purpose of this call, not a fault; odd values are refused.
  const inner =
    key === "wait"
      ? random.pick([-1, 56, "x", null, "0.01", [0.01], 0.01])
      : changedAt(random, Reflect.get(value, key));
  if (Array.isArray(value)) return random.chance(0.2) ? [...value, ...value] : value.with(Number(key), inner);
  const { [key]: gone, ...rest }: JsonObject = { ...value };
  if (random.chance(0.2)) return rest;
  if (random.chance(0.05)) return { ...rest, [oddText(random).slice(0, 500)]: gone };
  return { ...rest, [key]: inner };
}

function brokenText(random: Random, request: FuzzRequest): string {
  const text = bodyText(request) ?? "{}";
  const cut = random.int(text.length + 1);
  return random.pick([
    () => text.slice(0, cut),
    () => text.slice(0, cut) + random.pick(["\u0000", "}", "]", '"', ",", "\ufeff", "//", "\\u"]) + text.slice(cut),
    () => `\ufeff${text}`,
    () => `${text}${text}`,
    () => text.replace("{", '{"session_id":"a","session_id":"b","__proto__":{"x":1},'),
    () => "",
    () => `"${"x".repeat(1024 * 1024 + random.int(10))}"`,
    () => "[".repeat(100_000),
    () => text.replaceAll('"', "'"),
    () => random.pick(["NaN", "undefined", "1e999", "-", "'a'", "nul", "\ud800"]),
  ])();
}

function oddPath(random: Random, path: string): string {
  const [place = "", query = ""] = path.split("?");
  const parts = place.split("/");
  const at = random.between(1, parts.length - 1);
  return random.pick([
    () =>
      parts.with(at, encodeURIComponent(oddText(random).toWellFormed()).slice(0, 3_000)).join("/") +
      (query && `?${query}`),
    () =>
      parts
        .with(
          at,
          random.pick(["%", "%zz", "%00", "%e2%80%ae", "%ff", "..", ".", "%2e%2e", "%2f", ";", ":x", "*", "__proto__"]),
        )
        .join("/"),
    () => `${place}/`,
    () => `${place}//`,
    () => `/${place}`,
    () =>
      `${place}?${query}&${query}&${random.pick(["limit", "cursor", "after", "q", "session_id", "status", "question_id"])}=${encodeURIComponent(oddText(random).toWellFormed()).slice(0, 4_000)}`,
    () => `${place}?${query}&wait=${random.pick(["-1", "x", "56", "1e9", "", "%00", "0x", "[]"])}`,
    () => `${place}?${"a=b&".repeat(2_000)}`,
    () =>
      `${place}?${random.pick(["%", "=", "&&&", "__proto__[x]=1", "session_id[]=x", "session_id", "limit=1e1", "limit=-0"])}`,
    () => `${place.toUpperCase()}?${query}`,
    () => `${place}#fragment`,
  ])();
}
