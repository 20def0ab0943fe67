import { z } from "zod";
import { DecidedBy } from "./actor.ts";
import type { Readable } from "./readable.ts";

export const Problem = z.object({
  path: z.string().describe("The location, for example `questions[0].options[1].label`."),
  message: z.string().describe("What is wrong, and what is expected."),
});
export type Problem = z.infer<typeof Problem>;

/** How a person can prove again who they are. `oidc`: they sign in again with the identity provider. */
export const ConfirmMethod = z.enum(["passkey", "password", "oidc"]);
export type ConfirmMethod = z.infer<typeof ConfirmMethod>;

/** Every error code that Parley can return. `details` is the schema of what can accompany the code. */
export const ERRORS = {
  session_not_found: { http: 404, socket: "SESSION_NOT_FOUND", details: z.object({ session_id: z.string() }) },
  /** Unknown in this conversation, or a follow-up whose option was not chosen. */
  question_not_found: {
    http: 404,
    socket: "INVALID_QUESTION_ID",
    details: z
      .object({ question_id: z.string(), tool_use_id: z.string(), round: z.number(), rounds: z.number() })
      .partial(),
  },
  /** `details` says what is expected. */
  invalid_answer: {
    http: 400,
    socket: "INVALID_ANSWER",
    details: z
      .object({ question_id: z.string(), problem: z.string(), expected: z.unknown(), missing: z.array(z.string()) })
      .partial(),
  },
  /** The path does not exist. */
  not_found: { http: 404, socket: "NOT_FOUND", details: z.object({ path: z.string() }) },
  /** The path exists but not for this method; `details` and `Allow` list the allowed ones. */
  method_not_allowed: { http: 405, socket: "METHOD_NOT_ALLOWED", details: z.object({ allow: z.array(z.string()) }) },
  /** `details` lists every problem by path. Also returned for wrong media types. */
  invalid_request: {
    http: 400,
    socket: "INVALID_REQUEST",
    details: z.object({ problems: z.array(Problem), status: z.string() }).partial(),
  },
  /** Someone answered first; `details` says who, where and when. */
  duplicate_answer: {
    http: 400,
    socket: "DUPLICATE_INPUT_RESPONSE",
    details: z.object({ question_id: z.string(), answered_by: DecidedBy, answered_at: z.string() }),
  },
  duplicate_question_id: {
    http: 400,
    socket: "DUPLICATE_QUESTION_ID",
    details: z.object({ question_id: z.string(), question_ids: z.array(z.string()) }).partial(),
  },
  /** Cancelled or timed out; `details` says by whom and why. */
  question_closed: {
    http: 400,
    socket: "QUESTION_CLOSED",
    details: z.object({
      question_id: z.string(),
      status: z.string(),
      decided_by: DecidedBy.optional(),
      reason: z.string().optional(),
      decided_at: z.string().nullable(),
    }),
  },
  /** The same id or key was already used with a different body. */
  idempotency_conflict: { http: 409, socket: "IDEMPOTENCY_CONFLICT", details: z.object({ tool_use_id: z.string() }) },
  /** Nobody can answer; the agent should decide for itself or finish. */
  non_interactive: { http: 409, socket: "NON_INTERACTIVE" },
  /** The conversation was interrupted or closed. */
  conversation_interrupted: { http: 409, socket: "CONVERSATION_INTERRUPTED" },
  input_timeout: { http: 408, socket: "INPUT_TIMEOUT" },
  /** Too many asks in one turn: the agent must finish or hand back to a person. */
  recursive_limit_exceeded: {
    http: 429,
    socket: "RECURSIVE_LIMIT_EXCEEDED",
    details: z.object({ session_id: z.string(), limit: z.number() }),
  },
  turn_queue_full: { http: 429, socket: "TURN_QUEUE_FULL", details: z.object({ queued: z.number() }) },
  /** With `Retry-After`. */
  rate_limited: { http: 429, socket: "RATE_LIMITED", details: z.object({ retry_after: z.number() }) },
  payload_too_large: {
    http: 413,
    socket: "PAYLOAD_TOO_LARGE",
    details: z.object({ max_bytes: z.number(), max_lines: z.number(), max_line_bytes: z.number() }).partial(),
  },
  /**
   * `details.reason`: nobody is signed in (`sign_in`), the first account must be created (`setup`), the key does not work
   * (`api_key`), the session has ended (`ended`), its cookie came without the page secret (`page_secret`), or the team requires
   * a stronger sign-in than this session's (`strong_sign_in`).
   */
  unauthorized: {
    http: 401,
    socket: "UNAUTHORIZED",
    details: z.object({ reason: z.enum(["sign_in", "setup", "api_key", "ended", "page_secret", "strong_sign_in"]) }),
  },
  forbidden: { http: 403, socket: "FORBIDDEN" },
  /** The person must first prove again who they are. `details` says how they can; with none of these, by signing in again. */
  confirm_required: {
    http: 403,
    socket: "CONFIRM_REQUIRED",
    details: z.object({ methods: z.array(ConfirmMethod) }),
  },
  /** Someone else has claimed the question; `details` says who and until when. Send `take_over: true` to answer anyway. */
  claimed: {
    http: 409,
    socket: "CLAIMED",
    details: z.object({ claimed_by: z.string(), claimed_at: z.string(), expires_at: z.string() }),
  },
  /** The space requires an answer from someone other than the owner of the agent's key. */
  second_person_required: { http: 403, socket: "SECOND_PERSON_REQUIRED" },
  /** The link or code is unknown, already used or expired. */
  token_invalid: { http: 410, socket: "TOKEN_INVALID" },
  protocol_version_unsupported: { http: 400, socket: "PROTOCOL_VERSION_UNSUPPORTED" },
  chat_protocol_disabled: { http: 503, socket: "CHAT_PROTOCOL_DISABLED" },
  /** The database is full, read-only or unreachable. The message says whether anything may have been stored. */
  storage_unavailable: {
    http: 503,
    socket: "STORAGE_UNAVAILABLE",
    details: z.object({ reason: z.enum(["disk_full", "file_replaced"]) }),
  },
  /** The cause is in the log, under `details.reference`. */
  internal: { http: 500, socket: "INTERNAL", details: z.object({ reference: z.string() }) },
} as const;

export type ErrorCode = keyof typeof ERRORS;
type Details<Code extends ErrorCode> = Code extends Code
  ? (typeof ERRORS)[Code] extends { details: infer Schema extends z.ZodType }
    ? z.infer<Schema>
    : never
  : never;
export type ErrorDetails<Code extends ErrorCode = ErrorCode> = Readable<Details<ErrorCode>, Details<Code>>;

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** Formats the path of a problem, for example `questions[0].options[1].label`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text ? `${text}.${String(key)}` : String(key);
  }, "");
}

export const ErrorEnvelope = z.object({
  success: z.literal(false),
  error: z
    .object({
      code: z.enum(codes).describe("The error code."),
      message: z.string().describe("What happened and what to do, for people."),
      details: z.unknown().optional().describe("Depends on the code: problems by path, who answered first, …"),
    })
    .describe("What went wrong."),
});

/** Recognised by its `code`, never by `instanceof`: Next and the server load separate copies of this module. */
export class ParleyError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code;
  readonly details: ErrorDetails<Code> | undefined;

  constructor(code: Code, message: string, details?: ErrorDetails<Code>) {
    super(message);
    this.name = "ParleyError";
    this.code = code;
    this.details = details;
  }
}

export function isErrorCode(code: string): code is ErrorCode {
  return code in ERRORS;
}

export function isParleyError(error: unknown): error is ParleyError {
  return error instanceof Error && "code" in error && typeof error.code === "string" && isErrorCode(error.code);
}

/** What callers learn of an error: itself, or what it says about itself as `told`. Undefined if that is nothing. */
export function toldOf(error: unknown): ParleyError | undefined {
  const told = error instanceof Error && "told" in error ? error.told : error;
  return isParleyError(told) ? told : undefined;
}
