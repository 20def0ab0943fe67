import type { z } from "zod";
import type { ErrorReply } from "./protocol/error-reply.ts";
import type { ErrorCode, ErrorDetails } from "./protocol/errors.ts";
import type { OPERATIONS, OperationId } from "./protocol/operations.ts";

// Only the types of the contract: its schemas would be a burden for a page and slow down a terminal. The compiler holds
// this table to the contract.
type Address<Id extends OperationId> =
  `${Uppercase<(typeof OPERATIONS)[Id]["method"]>} ${(typeof OPERATIONS)[Id]["path"]}`;

const ADDRESSES: { [Id in OperationId]: Address<Id> } = {
  createSession: "POST /api/sessions",
  listSessions: "GET /api/sessions",
  readSession: "GET /api/sessions/{id}",
  readMessages: "GET /api/sessions/{id}/messages",
  sendMessage: "POST /api/sessions/{id}/messages",
  interrupt: "POST /api/sessions/{id}/interrupt",
  events: "GET /api/sessions/{id}/events",
  closeSession: "POST /api/sessions/{id}/close",
  allowMore: "POST /api/sessions/{id}/allow-more",
  continueSession: "POST /api/sessions/{id}/rounds/{n}/continue",
  exportSession: "GET /api/sessions/{id}/export",
  importSession: "POST /api/sessions/import",
  ask: "POST /api/asks",
  readAsk: "GET /api/asks/{tool_use_id}",
  report: "POST /api/asks/{tool_use_id}/report",
  answer: "POST /api/task/answer",
  answerMany: "POST /api/task/answers",
  answerSimilar: "POST /api/task/answers/similar",
  reply: "POST /api/task/reply",
  reportDecision: "POST /api/task/report",
  extend: "POST /api/task/extend",
  cancel: "POST /api/task/cancel",
  reopen: "POST /api/task/reopen",
  resume: "POST /api/task/resume",
  readDraft: "GET /api/me/drafts",
  saveDraft: "POST /api/me/drafts",
  claim: "POST /api/inbox/claim",
  release: "POST /api/inbox/release",
  assign: "POST /api/inbox/assign",
  snooze: "POST /api/inbox/snooze",
  skills: "GET /api/skills",
  inbox: "GET /api/inbox",
  exportInbox: "GET /api/inbox/export",
  insights: "GET /api/insights",
  exportInsights: "GET /api/insights/export",
  find: "GET /api/find",
  audit: "GET /api/audit",
  exportAudit: "GET /api/audit/export",
  me: "GET /api/me",
  updateMe: "POST /api/me",
  changePassword: "POST /api/me/password",
  readLink: "POST /api/auth/link",
  firstPasskeyOptions: "POST /api/auth/setup/passkey",
  setUp: "POST /api/auth/setup",
  signIn: "POST /api/auth/sign-in",
  signOut: "POST /api/auth/sign-out",
  startOidc: "POST /api/auth/oidc/start",
  finishOidc: "POST /api/auth/oidc",
  passkeyOptions: "POST /api/auth/passkey/options",
  passkeySignIn: "POST /api/auth/passkey",
  acceptInvitation: "POST /api/auth/accept",
  resetPassword: "POST /api/auth/reset",
  startDevice: "POST /api/auth/device",
  pollDevice: "POST /api/auth/device/token",
  readDevice: "POST /api/auth/device/show",
  decideDevice: "POST /api/auth/device/approve",
  confirmOptions: "POST /api/auth/confirm/options",
  confirm: "POST /api/auth/confirm",
  listAuthSessions: "GET /api/me/auth-sessions",
  endAuthSessions: "POST /api/me/auth-sessions/end",
  listPasskeys: "GET /api/me/passkeys",
  newPasskeyOptions: "POST /api/me/passkeys/options",
  addPasskey: "POST /api/me/passkeys",
  removePasskey: "POST /api/me/passkeys/remove",
  listPeople: "GET /api/people",
  updatePerson: "POST /api/people/{id}",
  createResetLink: "POST /api/people/{id}/reset-link",
  listInvitations: "GET /api/invitations",
  createInvitation: "POST /api/invitations",
  revokeInvitation: "POST /api/invitations/{id}/revoke",
  listSpaces: "GET /api/spaces",
  createSpace: "POST /api/spaces",
  updateSpace: "POST /api/spaces/{id}",
  readTeam: "GET /api/team",
  updateTeam: "POST /api/team",
  listKeys: "GET /api/keys",
  createKey: "POST /api/keys",
  rotateKey: "POST /api/keys/{id}/rotate",
  updateKey: "POST /api/keys/{id}",
  revokeKey: "POST /api/keys/{id}/revoke",
  listChannels: "GET /api/me/channels",
  addChannel: "POST /api/me/channels",
  setWish: "POST /api/me/spaces/{id}",
  listSpaceChannels: "GET /api/spaces/{id}/channels",
  addSpaceChannel: "POST /api/spaces/{id}/channels",
  testChannel: "POST /api/channels/{id}/test",
  confirmChannel: "POST /api/channels/{id}/confirm",
  removeChannel: "POST /api/channels/{id}/remove",
  markSeen: "POST /api/inbox/seen",
  listNotifications: "GET /api/notifications",
  replayNotification: "POST /api/notifications/{id}/replay",
};

type In<Id extends OperationId, Part extends "params" | "query" | "body"> =
  (typeof OPERATIONS)[Id] extends Record<Part, infer Schema extends z.ZodType>
    ? { [Key in Part]: z.input<Schema> }
    : { [Key in Part]?: undefined };

export type CallOptions<Id extends OperationId> = In<Id, "params"> &
  Partial<In<Id, "query">> &
  In<Id, "body"> & {
    signal?: AbortSignal;
    idempotencyKey?: string;
    lastEventId?: number;
    /** Lets the request outlive the page that sends it. Browsers allow it for small bodies only. */
    keepalive?: boolean;
  };
export type Reply<Id extends OperationId> = z.output<(typeof OPERATIONS)[Id]["response"]>;

/** The code Parley refused with, or `unreachable` if there was no reply. */
export class ClientError extends Error {
  readonly code: ErrorCode | "unreachable";
  readonly details: ErrorDetails | undefined;

  constructor(code: ErrorCode | "unreachable", message: string, details?: ErrorDetails) {
    super(message);
    this.name = "ClientError";
    this.code = code;
    this.details = details;
  }
}

/** The part of `fetch` that the client uses. */
export type Fetch = (
  url: string,
  request: { method: string; headers: Record<string, string>; body?: string; signal?: AbortSignal },
) => Promise<Response>;

export type ClientOptions = {
  /** Where Parley is; nothing for a page that it served. */
  url?: string;
  headers?: () => Record<string, string>;
  /** How requests travel; over the network by default. */
  fetch?: Fetch;
};

export type Client = {
  call: <Id extends OperationId>(id: Id, options: CallOptions<Id>) => Promise<Reply<Id>>;
  /** The reply as it comes, for what is not JSON. */
  fetch: <Id extends OperationId>(id: Id, options: CallOptions<Id>) => Promise<Response>;
};

/** A client that also reads addresses, and what is not part of the public API. */
export type PageClient = Client & {
  open: (path: string) => Promise<Response>;
  get: <Value>(path: string) => Promise<Value>;
};

/** A typed client of the HTTP API. */
export function createClient({
  url = "",
  headers = () => ({}),
  fetch: send = (url, request) => fetch(url, request),
}: ClientOptions = {}): PageClient {
  const at = url ? ` at ${url}` : "";
  const request = async <Id extends OperationId>(id: Id, options: CallOptions<Id>): Promise<Response> => {
    const [method = "GET", path = ""] = ADDRESSES[id].split(" ");
    const { params, query, body, signal, idempotencyKey, lastEventId, keepalive } = options as CallParts;
    const jsonl = typeof body === "string";
    const response = await send(url + fill(path, params) + search(query), {
      method,
      headers: {
        ...headers(),
        ...(body !== undefined && { "content-type": jsonl ? "application/x-ndjson" : "application/json" }),
        ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
        ...(lastEventId !== undefined && { "last-event-id": String(lastEventId) }),
      },
      ...(body !== undefined && { body: jsonl ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
      ...(keepalive && { keepalive }),
    });
    return succeeded(response);
  };
  /** A connection that is refused, or breaks off in the middle of a reply. */
  const reached = async <Value>(value: Promise<Value>, signal?: AbortSignal): Promise<Value> => {
    try {
      return await value;
    } catch (error) {
      if (signal?.aborted || error instanceof ClientError) throw error;
      throw new ClientError("unreachable", `Parley cannot be reached${at}.`);
    }
  };
  const succeeded = async (response: Response): Promise<Response> => {
    if (response.ok) return response;
    const { error } = await bodyOf(response);
    if (typeof error === "object" && error !== null && "code" in error && "message" in error) {
      const { code, message, details } = error as ErrorReply;
      throw new ClientError(code, message, details);
    }
    // A proxy in front of Parley replied that it cannot reach it.
    if (response.status >= 500)
      throw new ClientError("unreachable", `Parley cannot be reached${at} (${response.status}).`);
    throw notParley(at);
  };
  const read = async <Value>(response: Promise<Response>, signal?: AbortSignal): Promise<Value> => {
    const reply = await reached(response.then(bodyOf), signal);
    if (reply.success !== true) throw notParley(at);
    return reply as Value;
  };
  const open = (path: string) => reached(send(url + path, { method: "GET", headers: headers() }).then(succeeded));
  return {
    open,
    fetch: (id, options) => reached(request(id, options), options.signal),
    call: (id, options) => read(request(id, options), options.signal),
    get: (path) => read(open(path)),
  };
}

/** An empty object if the reply is not JSON. */
async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

function notParley(at: string): ClientError {
  return new ClientError("unreachable", `The server${at} is not Parley, or runs a different version of it.`);
}

type CallParts = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
  idempotencyKey?: string;
  lastEventId?: number;
  keepalive?: boolean;
};

function fill(path: string, params: Record<string, unknown> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

/** A list repeats its parameter. */
function search(query: Record<string, unknown> = {}): string {
  const given = Object.entries(query)
    .flatMap(([key, values]) => [values].flat().map((value) => [key, value]))
    .filter(([, value]) => value !== undefined && value !== "");
  return given.length > 0 ? `?${new URLSearchParams(given.map(([key, value]) => [String(key), String(value)]))}` : "";
}
