import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { ERRORS, ErrorEnvelope } from "../../../lib/protocol/errors.ts";
import { errorsOf, type Operation } from "../../../lib/protocol/operation.ts";
import { OPERATIONS } from "../../../lib/protocol/operations.ts";
import { messagesIn } from "../kit/mcp-message.ts";

type JudgedReply = { method: string; path: string; status: number; text: string };

const OPERATION_LIST: Operation[] = Object.values(OPERATIONS);
const ROUTES = OPERATION_LIST.map((operation) => ({
  operation,
  method: operation.method.toUpperCase(),
  path: new RegExp(`^${operation.path.replace(/\{\w+\}/g, "[^/]+")}$`),
  reply: z.object({ success: z.literal(true), ...operation.response.shape }),
}));

/** A byte order mark and the names of the columns. */
const CSV_HEADER = /^\ufeff\w+(,\w+)*\r\n/;

/** Says what is wrong with a reply. It must be an error envelope with a code of the table, or as documented. */
export function faultOf({ method, path, status, text }: JudgedReply): string | undefined {
  if (status >= 500) return `${status}: ${text.slice(0, 300)}`;
  // A fragment is never sent by a browser; Parley takes it as part of the path.
  const place = path.split("?")[0] ?? "";
  if (!place.startsWith("/api/") || place === "/api/openapi.json" || place.startsWith("/api/docs"))
    if (status < 400) return undefined;
  if (method === "HEAD") return text === "" ? undefined : `a HEAD was answered with ${text.length} characters`;
  const route = ROUTES.find((one) => one.method === method && one.path.test(place));
  if (status >= 400) return errorFault(status, text, route?.operation);
  if (!route) return `${status} for ${method} ${place.slice(0, 100)}, which is no operation: ${text.slice(0, 200)}`;
  if (status !== route.operation.status) return `${status} where ${route.operation.status} is documented`;
  const isTable = route.operation.responseType === "file" && CSV_HEADER.test(text);
  if (isTable) return undefined;
  if (route.operation.responseType === "jsonl" || route.operation.responseType === "file") return linesFault(text);
  return exactly(route.reply, parse(text), text);
}

function errorFault(status: number, text: string, operation: Operation | undefined): string | undefined {
  const parsed = ErrorEnvelope.safeParse(parse(text));
  if (!parsed.success) return `${status} without the error envelope: ${text.slice(0, 200)}`;
  const { code, message } = parsed.data.error;
  if (ERRORS[code].http !== status) return `${code} with the status ${status}`;
  if (operation && !errorsOf(operation).includes(code))
    return `${code}, which is not documented for ${operation.method} ${operation.path}`;
  if (message === "") return `${code} without a word`;
  if (/\bat .+\(?(\/|node:).+:\d+:\d+\)?/.test(text)) return `a stack trace: ${text.slice(0, 300)}`;
  return exactly(ErrorEnvelope, parse(text), text);
}

/** zod drops unknown fields: if the two differ, the reply had more than is documented. */
function exactly(schema: z.ZodType, value: unknown, text: string): string | undefined {
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    return `not as documented: ${parsed.error.issues
      .slice(0, 3)
      .map((issue) => `${issue.path.join(".")}: ${issue.message}`)
      .join("; ")} in ${text.slice(0, 300)}`;
  return isDeepStrictEqual(parsed.data, value) ? undefined : `more than is documented: ${text.slice(0, 300)}`;
}

function linesFault(text: string): string | undefined {
  const bad = text.split("\n").find((line) => line !== "" && typeof parse(line) !== "object");
  return bad === undefined ? undefined : `not a JSON line: ${bad.slice(0, 200)}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const SOCKET_CODES = new Set<string>(Object.values(ERRORS).map(({ socket }) => socket));
const OURS: readonly string[] = [ERRORS.internal.socket, ERRORS.storage_unavailable.socket];
const Refusal = z.strictObject({
  ok: z.literal(false),
  error: z.strictObject({ code: z.string(), message: z.string().min(1), details: z.unknown().optional() }),
});

/** Says what is wrong with an acknowledgement. It must say `ok`, or carry a code of the table other than `internal`. */
export function acknowledgementFault(reply: unknown): string | undefined {
  if (z.looseObject({ ok: z.literal(true) }).safeParse(reply).success) return undefined;
  const text = JSON.stringify(reply)?.slice(0, 300);
  const { code } = Refusal.safeParse(reply).data?.error ?? {};
  if (code === undefined) return `not an acknowledgement: ${text}`;
  if (!SOCKET_CODES.has(code)) return `a code that is not in the table: ${text}`;
  return OURS.includes(code) ? `a failure of ours: ${text}` : undefined;
}

const Message = z.union([
  z.looseObject({ jsonrpc: z.literal("2.0"), result: z.looseObject({}) }),
  z.looseObject({ jsonrpc: z.literal("2.0"), error: z.looseObject({ code: z.number(), message: z.string().min(1) }) }),
  z.looseObject({ jsonrpc: z.literal("2.0"), method: z.string() }),
]);

/** Says what is wrong with a reply to an MCP message. It must follow the protocol and not report a failure of ours. */
export function mcpFault(status: number, text: string): string | undefined {
  if (text === "") return [200, 202, 405].includes(status) ? undefined : `${status} without a word`;
  const messages = messagesIn(text);
  const wrong = messages?.find((message) => !Message.safeParse(message).success);
  if (!messages || wrong !== undefined) return `not a message of the protocol: ${text.slice(0, 300)}`;
  if (/"text":"internal: /.test(text)) return `a failure of ours: ${text.slice(0, 300)}`;
  // Only text without spaces counts as a position in a source file: the tool list is long, and dates have colons too.
  const trace = /\bat (\S+ \()?(file:\/\/|node:|\/)\S+:\d+:\d+/.exec(text);
  return trace ? `a stack trace: ${trace[0].slice(0, 300)}` : undefined;
}
