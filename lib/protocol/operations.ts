import { z } from "zod";
import { AnswerRequest } from "./answer.ts";
import { AskView } from "./ask.ts";
import { AuditPage, AuditQuery } from "./audit.ts";
import { type ErrorCode, ErrorEnvelope } from "./errors.ts";
import { QuestionId, SessionId, ToolUseId } from "./ids.ts";
import { InboxPage, InboxQuery } from "./inbox.ts";
import { DEFAULT_LIMITS, FIXED } from "./limits.ts";
import { MessageView } from "./message.ts";
import { CodexCall, OpenCodeCall } from "./other-agents.ts";
import { AskOptions, askShapes } from "./question.ts";
import { NewSession, SessionState, SessionSummary } from "./session.ts";
import { SkillList } from "./skill.ts";

/** One call of the REST interface. Routes, checks and the OpenAPI document are all made from these. */
export type Operation = {
  method: "get" | "post";
  /** With `{name}` for each parameter. */
  path: string;
  summary: string;
  description?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** What is checked at the door. */
  body?: z.ZodType;
  /** What is documented, where more is checked further in. */
  documentedBody?: z.ZodType;
  bodyType?: "json" | "jsonl";
  responseType?: "json" | "jsonl" | "events";
  status: 200 | 201 | 202;
  response: z.ZodObject;
  /** Beside those that every call takes. */
  headers?: Array<"Idempotency-Key" | "Last-Event-ID">;
  /** Beside those that every call can end with: `errorsOf`. */
  errors: ErrorCode[];
};

/** What any call can end with: the request itself may be malformed, too large, or unwelcome. */
const ERRORS_OF_ALL = [
  "invalid_request",
  "payload_too_large",
  "forbidden",
  "rate_limited",
  "storage_unavailable",
  "internal",
] as const satisfies ErrorCode[];

/** Every error that an operation can end with. */
export function errorsOf({ errors }: Operation): ErrorCode[] {
  return [...errors, ...ERRORS_OF_ALL];
}

const define = <const Defined extends Operation>(operation: Defined) => operation;

const wait = z.coerce
  .number()
  .min(0)
  .max(FIXED.waitSeconds)
  .optional()
  .describe(`Seconds to wait for the result, at most ${FIXED.waitSeconds}. The call returns at once when it is there.`);
const limit = z.coerce.number().int().min(1).max(200).optional().describe("Entries a page, 50 where nothing is said.");
const ofSession = z.object({ id: SessionId });
const asked = z.object({ ask: AskView });

/** Where a call carries the question in one of the shapes, these stand beside it. */
export const AskCall = z.looseObject({
  session_id: SessionId.optional().describe("The conversation to ask in; a new one is made where none is named."),
  session_key: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe("Instead: a name of your own for the conversation. The first ask under it makes it, the others find it."),
  wait,
  title: z.string().max(200).optional().describe("The title of the conversation, if one is made."),
  agent: z.string().min(1).max(100).optional().describe("The agent of the conversation, if one is made."),
  dialect: z
    .enum(["shell", "claude-code"])
    .optional()
    .describe(
      "`shell`: the strict rules and the result of the AskUserQuestion command. `claude-code`: `questions` may be as long as Claude Code allows.",
    ),
  skill: z.string().min(1).max(200).optional().describe("A template to ask instead of a question: `GET /api/skills`."),
  variables: z
    .record(z.string(), z.string().max(2_000))
    .optional()
    .describe("With `skill`: what the template is filled with."),
});

const Target = z.object({
  session_id: SessionId,
  question_id: QuestionId.optional().describe("A question of the ask."),
  tool_use_id: ToolUseId.optional().describe("Or the ask itself."),
});
const named = (target: { question_id?: string | undefined; tool_use_id?: string | undefined }) =>
  target.question_id !== undefined || target.tool_use_id !== undefined;
const NAME_ONE = { message: "name the question by question_id or the ask by tool_use_id", path: ["question_id"] };

/** The shapes of a question with the limits of a Parley without settings, for the documentation. */
export const ASK_SHAPES = { ...askShapes(DEFAULT_LIMITS), CodexCall, OpenCodeCall };

const Answered = z.object({
  message: z
    .string()
    .describe("For the person, in the language of Accept-Language (zh, ja, en; zh where nothing is said)."),
  tool_use_id: ToolUseId,
  status: AskView.shape.status.describe("`pending` while the ask still waits for other answers."),
  missing: z.array(QuestionId).describe("Required questions that are still open."),
});

export const OPERATIONS = {
  createSession: define({
    method: "post",
    path: "/api/sessions",
    summary: "Begin a conversation",
    body: NewSession,
    status: 201,
    response: z.object({ session_id: SessionId }),
    errors: [],
  }),
  listSessions: define({
    method: "get",
    path: "/api/sessions",
    summary: "List conversations, latest activity first",
    query: z.object({ cursor: z.string().max(200).optional().describe("`next_cursor` of the page before."), limit }),
    status: 200,
    response: z.object({
      sessions: z.array(SessionSummary).describe("The page."),
      next_cursor: z.string().nullable().describe("Null on the last page."),
    }),
    errors: [],
  }),
  readSession: define({
    method: "get",
    path: "/api/sessions/{id}",
    summary: "Read a conversation: its state, its rounds and what is open",
    params: ofSession,
    status: 200,
    response: SessionState,
    errors: ["session_not_found"],
  }),
  readMessages: define({
    method: "get",
    path: "/api/sessions/{id}/messages",
    summary: "Read the thread",
    params: ofSession,
    query: z.object({
      after: z.coerce
        .number()
        .int()
        .min(0)
        .max(2_147_483_647)
        .optional()
        .describe("Only messages with a greater sequence_num."),
      limit: limit.describe("Messages a page, 200 where nothing is said."),
      asks: z.enum(["true", "false"]).optional().describe("`true` adds the asks that these messages are about."),
    }),
    status: 200,
    response: z.object({
      messages: z.array(MessageView).describe("The page, in order."),
      last_sequence: z.number().int().describe("The newest message there is."),
      asks: z.array(AskView).optional().describe("With `asks=true`: the asks among the messages, as they are now."),
      exchanges_before: z
        .number()
        .int()
        .optional()
        .describe("With `asks=true`: how often a person had spoken before this page. Each time begins an exchange."),
    }),
    errors: ["session_not_found"],
  }),
  sendMessage: define({
    method: "post",
    path: "/api/sessions/{id}/messages",
    summary: "Say something to the agent",
    description: "The turn starts, or waits in the queue while another one runs. It never answers a question.",
    params: ofSession,
    body: z.object({ text: z.string().trim().min(1).max(100_000).describe("What the person says.") }),
    status: 202,
    response: z.object({
      turn_id: z
        .string()
        .nullable()
        .describe("The turn; null where the agent runs elsewhere and finds the message itself."),
      status: z.enum(["running", "queued", "noted"]).describe("What became of the message."),
      message_sequence: z.number().int().describe("Its number in the thread."),
    }),
    errors: ["session_not_found", "turn_queue_full", "conversation_interrupted"],
  }),
  interrupt: define({
    method: "post",
    path: "/api/sessions/{id}/interrupt",
    summary: "Stop the agent; what it asked is cancelled",
    params: ofSession,
    status: 200,
    response: z.object({ interrupted: z.boolean().describe("false: there was nothing to stop.") }),
    errors: ["session_not_found"],
  }),
  events: define({
    method: "get",
    path: "/api/sessions/{id}/events",
    summary: "Follow a conversation as server-sent events",
    description:
      "The same envelopes as on a socket. The id of an event is the newest message so far: Last-Event-ID goes on after it.",
    params: ofSession,
    headers: ["Last-Event-ID"],
    responseType: "events",
    status: 200,
    response: z.object({}),
    errors: ["session_not_found"],
  }),
  closeSession: define({
    method: "post",
    path: "/api/sessions/{id}/close",
    summary: "Close a conversation; what is open in it is cancelled",
    params: ofSession,
    status: 200,
    response: z.object({ session_id: SessionId }),
    errors: ["session_not_found"],
  }),
  allowMore: define({
    method: "post",
    path: "/api/sessions/{id}/allow-more",
    summary: "Let the agent ask as many times again, after it reached its limit",
    params: ofSession,
    status: 200,
    response: z.object({
      session_id: SessionId,
      ask_limit: z.number().int().describe("Asks that the turn may now make."),
    }),
    errors: ["session_not_found", "conversation_interrupted"],
  }),
  continueSession: define({
    method: "post",
    path: "/api/sessions/{id}/rounds/{n}/continue",
    summary: "Continue from a round, in a new conversation",
    description:
      "The new conversation has the history up to the question of that round, which is pending again. The old one stays as it was.",
    params: z.object({ id: SessionId, n: z.coerce.number().int().min(1).max(2_147_483_647).describe("The round.") }),
    status: 201,
    response: z.object({ session_id: SessionId }),
    errors: ["session_not_found", "question_not_found"],
  }),
  exportSession: define({
    method: "get",
    path: "/api/sessions/{id}/export",
    summary: "Export the thread as JSONL",
    params: ofSession,
    responseType: "jsonl",
    status: 200,
    response: z.object({}),
    errors: ["session_not_found"],
  }),
  importSession: define({
    method: "post",
    path: "/api/sessions/import",
    summary: "Import a thread from JSONL (application/x-ndjson or application/jsonl)",
    bodyType: "jsonl",
    body: z.string(),
    status: 201,
    response: z.object({
      session_id: SessionId,
      messages: z.number().int().describe("How many messages it has."),
      rounds: z.number().int().describe("How many rounds."),
    }),
    errors: [],
  }),
  ask: define({
    method: "post",
    path: "/api/asks",
    summary: "Ask",
    headers: ["Idempotency-Key"],
    description:
      "In any of the shapes. The same tool_use_id or idempotency_key asked again in a conversation returns the first ask. With `wait`, the result if it comes in time.",
    body: AskCall,
    documentedBody: z.intersection(
      z.looseObject({ ...AskOptions.shape, ...AskCall.shape }),
      z.union([
        ASK_SHAPES.Questions,
        ASK_SHAPES.StructuredQuestion,
        ASK_SHAPES.Push,
        ASK_SHAPES.RequestInput,
        ASK_SHAPES.CodexCall,
        ASK_SHAPES.OpenCodeCall,
        AskCall.pick({ skill: true, variables: true }).required({ skill: true }),
      ]),
    ),
    status: 201,
    response: asked,
    errors: [
      "session_not_found",
      "duplicate_question_id",
      "idempotency_conflict",
      "non_interactive",
      "conversation_interrupted",
      "recursive_limit_exceeded",
    ],
  }),
  readAsk: define({
    method: "get",
    path: "/api/asks/{tool_use_id}",
    summary: "Read an ask, or wait for its result",
    params: z.object({ tool_use_id: ToolUseId }),
    query: z.object({ session_id: SessionId, wait }),
    status: 200,
    response: asked,
    errors: ["session_not_found", "question_not_found"],
  }),
  report: define({
    method: "post",
    path: "/api/asks/{tool_use_id}/report",
    summary: "Say what the agent went on with",
    description:
      "For programs that also ask by themselves, as Claude Code does in its terminal. Notes that the agent has its answer; where it is not the one on record, the thread and the audit say so.",
    params: z.object({ tool_use_id: ToolUseId }),
    body: AskCall.pick({ session_id: true, session_key: true, agent: true }).extend({
      answers: z
        .array(z.string().max(20_000).nullable())
        .max(FIXED.structured.questions)
        .describe("One for each question, in order: a label, several joined by `, `, or free text; null for none."),
    }),
    status: 200,
    response: asked,
    errors: ["session_not_found", "question_not_found", "invalid_request"],
  }),
  answer: define({
    method: "post",
    path: "/api/task/answer",
    summary: "Answer a question",
    description: "With the header Idempotency-Key, a retry gets the first reply again instead of duplicate_answer.",
    headers: ["Idempotency-Key"],
    body: AnswerRequest,
    status: 200,
    response: Answered,
    errors: [
      "idempotency_conflict",
      "invalid_answer",
      "session_not_found",
      "question_not_found",
      "duplicate_answer",
      "question_closed",
    ],
  }),
  answerMany: define({
    method: "post",
    path: "/api/task/answers",
    summary: "Answer many questions, each judged on its own",
    headers: ["Idempotency-Key"],
    body: z.object({ answers: z.array(AnswerRequest).min(1).max(FIXED.batchAnswers).describe("The answers.") }),
    status: 200,
    response: z.object({
      results: z
        .array(z.union([Answered.extend({ success: z.literal(true) }), ErrorEnvelope]))
        .describe("One each, in the order of the request."),
    }),
    errors: [],
  }),
  cancel: define({
    method: "post",
    path: "/api/task/cancel",
    summary: "Cancel an open ask",
    body: Target.extend({
      reason: z.string().trim().min(1).max(FIXED.reason).describe("Why; the agent is told."),
    }).refine(named, NAME_ONE),
    status: 200,
    response: asked,
    errors: ["session_not_found", "question_not_found", "duplicate_answer", "question_closed"],
  }),
  reopen: define({
    method: "post",
    path: "/api/task/reopen",
    summary: "Open an ask again that timed out",
    body: Target.extend({
      timeout_s: z
        .number()
        .positive()
        .max(FIXED.timeoutSeconds)
        .optional()
        .describe("Seconds until it times out again; never where nothing is said."),
    }).refine(named, NAME_ONE),
    status: 200,
    response: asked,
    errors: ["session_not_found", "question_not_found", "conversation_interrupted"],
  }),
  resume: define({
    method: "post",
    path: "/api/task/resume",
    summary: "Let the agent go on with an answer that was kept back",
    body: Target.refine(named, NAME_ONE),
    status: 200,
    response: asked,
    errors: ["invalid_answer", "session_not_found", "question_not_found", "duplicate_answer", "question_closed"],
  }),
  skills: define({
    method: "get",
    path: "/api/skills",
    summary: "List the questions that can be asked by name",
    description: "Templates of the project: `.claude/skills/<folder>/SKILL.md` with an `ask_user_question` block.",
    status: 200,
    response: SkillList,
    errors: [],
  }),
  inbox: define({
    method: "get",
    path: "/api/inbox",
    summary: "List what waits for an answer",
    description: "Open items first, oldest deadline first; then what was settled, newest first.",
    query: InboxQuery,
    status: 200,
    response: InboxPage,
    errors: [],
  }),
  audit: define({
    method: "get",
    path: "/api/audit",
    summary: "Read who did what, and check that the record is unchanged",
    query: AuditQuery,
    status: 200,
    response: AuditPage,
    errors: ["session_not_found", "question_not_found"],
  }),
} satisfies Record<string, Operation>;

export type OperationId = keyof typeof OPERATIONS;
