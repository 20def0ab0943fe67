import { z } from "zod";

/** The one closed table of errors: every door answers with a code of it, and nothing else. */
export const ERRORS = {
  session_not_found: { http: 404, socket: "SESSION_NOT_FOUND" },
  /** Unknown in this conversation, or a follow-up whose option was not chosen. */
  question_not_found: { http: 404, socket: "INVALID_QUESTION_ID" },
  /** `details` says what is expected. */
  invalid_answer: { http: 400, socket: "INVALID_ANSWER" },
  /** `details` lists every problem by path. Also for unknown routes, wrong methods and wrong media types. */
  invalid_request: { http: 400, socket: "INVALID_REQUEST" },
  /** Somebody was first; `details` says who, where and when. */
  duplicate_answer: { http: 400, socket: "DUPLICATE_INPUT_RESPONSE" },
  duplicate_question_id: { http: 400, socket: "DUPLICATE_QUESTION_ID" },
  /** Cancelled or timed out; `details` says by whom and why. */
  question_closed: { http: 400, socket: "QUESTION_CLOSED" },
  /** The same id or key came before with another body. */
  idempotency_conflict: { http: 409, socket: "IDEMPOTENCY_CONFLICT" },
  /** Nobody is there to answer; the agent should decide by itself or end. */
  non_interactive: { http: 409, socket: "NON_INTERACTIVE" },
  /** The conversation was interrupted or closed. */
  conversation_interrupted: { http: 409, socket: "CONVERSATION_INTERRUPTED" },
  input_timeout: { http: 408, socket: "INPUT_TIMEOUT" },
  /** Too many asks in one turn: finish or hand back. */
  recursive_limit_exceeded: { http: 429, socket: "RECURSIVE_LIMIT_EXCEEDED" },
  turn_queue_full: { http: 429, socket: "TURN_QUEUE_FULL" },
  /** With `Retry-After`. */
  rate_limited: { http: 429, socket: "RATE_LIMITED" },
  payload_too_large: { http: 413, socket: "PAYLOAD_TOO_LARGE" },
  unauthorized: { http: 401, socket: "UNAUTHORIZED" },
  forbidden: { http: 403, socket: "FORBIDDEN" },
  protocol_version_unsupported: { http: 400, socket: "PROTOCOL_VERSION_UNSUPPORTED" },
  chat_protocol_disabled: { http: 503, socket: "CHAT_PROTOCOL_DISABLED" },
  /** The database is full, read-only or out of reach. The message says whether anything may have been stored. */
  storage_unavailable: { http: 503, socket: "STORAGE_UNAVAILABLE" },
  /** `details.reference` finds the cause in the log. */
  internal: { http: 500, socket: "INTERNAL" },
} as const;

export type ErrorCode = keyof typeof ERRORS;

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

export const Problem = z.object({
  path: z.string().describe("Where, as in `questions[0].options[1].label`."),
  message: z.string().describe("What is wrong there, and what is expected."),
});
export type Problem = z.infer<typeof Problem>;

/** The path of a problem, as in `questions[0].options[1].label`. */
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
      code: z.enum(codes).describe("One of the closed table of errors."),
      message: z.string().describe("What happened and what to do, for a person."),
      details: z.unknown().optional().describe("More, depending on the code: problems by path, who was first, …"),
    })
    .describe("What went wrong."),
});

/** Told apart by `code`, never by `instanceof`: Next and the server load separate copies of this module. */
export class ParleyError extends Error {
  readonly code: ErrorCode;
  readonly details: unknown;

  constructor(code: ErrorCode, message: string, details?: unknown) {
    super(message);
    this.name = "ParleyError";
    this.code = code;
    this.details = details;
  }
}

export function isParleyError(error: unknown): error is ParleyError {
  return error instanceof Error && "code" in error && typeof error.code === "string" && error.code in ERRORS;
}
