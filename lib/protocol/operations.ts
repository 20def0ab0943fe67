import { z } from "zod";
import { on } from "./access.ts";
import { AnswerRequest, ReplyText } from "./answer.ts";
import { AskView } from "./ask.ts";
import { AuditExport, AuditPage, AuditQuery } from "./audit.ts";
import { ErrorEnvelope } from "./errors.ts";
import { QuestionId, SessionId, ToolUseId } from "./ids.ts";
import { ExportQuery, InboxItem, InboxPage, InboxQuery } from "./inbox.ts";
import { Insights, InsightsExport, InsightsQuery } from "./insights.ts";
import { CONTRACT_LIMITS, DEFAULT_LIMITS } from "./limits.ts";
import { MessageView } from "./message.ts";
import { NOTIFY_OPERATIONS } from "./notify-operations.ts";
import { define, type Operation } from "./operation.ts";
import { CodexCall, OpenCodeCall } from "./other-agents.ts";
import { AskOptions, askShapes } from "./question.ts";
import { FoundByWords, NewSession, SessionFilter, SessionPage, SessionQuery, SessionState } from "./session.ts";
import { SkillList } from "./skill.ts";
import { SpaceId } from "./space.ts";
import { TEAM_OPERATIONS } from "./team-operations.ts";

const wait = z.coerce
  .number()
  .min(0)
  .max(CONTRACT_LIMITS.waitSeconds)
  .optional()
  .describe(
    `Seconds to wait for the result, at most ${CONTRACT_LIMITS.waitSeconds}. The call returns as soon as it is available.`,
  );
const limit = z.coerce.number().int().min(1).max(200).optional().describe("Entries per page, 50 by default.");
const ofSession = z.object({ id: SessionId });
const asked = z.object({ ask: AskView });

/** Fields that a call may have in addition to the question in one of the shapes. */
export const AskCall = z.looseObject({
  session_id: SessionId.optional().describe("The conversation to ask in; without one, a new conversation is created."),
  session_key: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe("Alternatively, your own name for the conversation. The first ask creates it, later ones find it."),
  wait,
  title: z.string().max(200).optional().describe("The title of a new conversation."),
  agent: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("The agent of a new conversation. An agent key can use only its own agent."),
  space_id: SpaceId.optional().describe(
    "The space of a new conversation; Everyone by default. An agent key can use only its own space.",
  ),
  requested_assignee: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      "Who should answer, by login or id. This is only a request: if there is no such person, the question is asked anyway.",
    ),
  dialect: z
    .enum(["shell", "claude-code"])
    .optional()
    .describe(
      "`shell`: the strict rules and the result of the AskUserQuestion command. `claude-code`: `questions` with the longer texts that Claude Code allows.",
    ),
  skill: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("A question template to use instead of a question; see `GET /api/skills`."),
  variables: z
    .record(z.string(), z.string().max(2_000))
    .optional()
    .describe("With `skill`: the variables of the template."),
});

const Target = z.object({
  session_id: SessionId,
  question_id: QuestionId.optional().describe("A question of the ask."),
  tool_use_id: ToolUseId.optional().describe("Alternatively, the ask itself."),
});
const named = (target: { question_id?: string | undefined; tool_use_id?: string | undefined }) =>
  target.question_id !== undefined || target.tool_use_id !== undefined;
const NAME_ONE = { message: "name the question by question_id or the ask by tool_use_id", path: ["question_id"] };

/** The shapes of a question under the default limits, for the documentation. */
export const ASK_SHAPES = { ...askShapes(DEFAULT_LIMITS), CodexCall, OpenCodeCall };

const Answered = z.object({
  message: z.string().describe("For people, in the language of Accept-Language (en, zh or ja; en by default)."),
  tool_use_id: ToolUseId,
  status: AskView.shape.status.describe("`pending` while the ask needs more answers."),
  missing: z.array(QuestionId).describe("The required questions that are still open."),
});

const AnsweredEach = z.object({
  results: z
    .array(z.union([Answered.extend({ success: z.literal(true) }), ErrorEnvelope]))
    .describe("One result per answer, in the order of the request."),
});

const Items = z.array(z.string().max(100)).min(1).max(CONTRACT_LIMITS.batchAnswers).describe("The inbox items.");
const Results = z.object({
  results: z
    .array(z.union([z.object({ success: z.literal(true), ask: AskView }), ErrorEnvelope]))
    .describe("One result per item, in the order of the request; each is decided independently."),
});

export const OPERATIONS = {
  createSession: define({
    method: "post",
    path: "/api/sessions",
    ...on("new conversation", "ask"),
    summary: "Create a conversation",
    body: NewSession,
    status: 201,
    response: z.object({ session_id: SessionId }),
    errors: [],
  }),
  listSessions: define({
    method: "get",
    path: "/api/sessions",
    needs: ["read"],
    resource: "lists",
    summary: "List conversations, most recent activity first",
    query: SessionQuery,
    status: 200,
    response: SessionPage,
    errors: [],
  }),
  readSession: define({
    method: "get",
    path: "/api/sessions/{id}",
    ...on("conversation", "read"),
    summary: "Get a conversation with its state, rounds and open asks",
    params: ofSession,
    status: 200,
    response: SessionState,
    errors: ["session_not_found"],
  }),
  readMessages: define({
    method: "get",
    path: "/api/sessions/{id}/messages",
    ...on("conversation", "read"),
    summary: "List the messages of a conversation",
    params: ofSession,
    query: z.object({
      after: z.coerce
        .number()
        .int()
        .min(0)
        .max(2_147_483_647)
        .optional()
        .describe("Only messages with a greater `sequence_num`."),
      limit: limit.describe("Messages per page, 200 by default."),
      asks: z.enum(["true", "false"]).optional().describe("`true` adds the asks that these messages are about."),
    }),
    status: 200,
    response: z.object({
      messages: z.array(MessageView).describe("The page, in order."),
      last_sequence: z.number().int().describe("The number of the latest message."),
      asks: z
        .array(AskView)
        .optional()
        .describe("With `asks=true`: the asks that the messages are about, in their current state."),
      exchanges_before: z
        .number()
        .int()
        .optional()
        .describe("With `asks=true`: how many messages people had sent before this page. Each starts an exchange."),
    }),
    errors: ["session_not_found"],
  }),
  sendMessage: define({
    method: "post",
    path: "/api/sessions/{id}/messages",
    ...on("conversation", "run"),
    summary: "Send a message to the agent",
    description: "Starts a turn, or queues it while another one runs. A message never answers a question.",
    params: ofSession,
    body: z.object({ text: z.string().trim().min(1).max(100_000).describe("What the person says.") }),
    status: 202,
    response: z.object({
      turn_id: z
        .string()
        .nullable()
        .describe("The turn; null if the agent runs elsewhere and reads the message itself."),
      status: z.enum(["running", "queued", "noted"]).describe("What happened to the message."),
      message_sequence: z.number().int().describe("Its number in the thread."),
    }),
    errors: ["session_not_found", "turn_queue_full", "conversation_interrupted"],
  }),
  interrupt: define({
    method: "post",
    path: "/api/sessions/{id}/interrupt",
    ...on("conversation", "tend"),
    summary: "Stop the agent and cancel its open asks",
    params: ofSession,
    status: 200,
    response: z.object({ interrupted: z.boolean().describe("false if there was nothing to stop.") }),
    errors: ["session_not_found"],
  }),
  events: define({
    method: "get",
    path: "/api/sessions/{id}/events",
    ...on("conversation", "read"),
    summary: "Follow a conversation as server-sent events",
    description:
      "Sends the same envelopes as a socket. The id of an event is the number of the latest message; with Last-Event-ID the stream continues after it.",
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
    ...on("conversation", "tend"),
    summary: "Close a conversation and cancel its open asks",
    params: ofSession,
    status: 200,
    response: z.object({ session_id: SessionId }),
    errors: ["session_not_found"],
  }),
  allowMore: define({
    method: "post",
    path: "/api/sessions/{id}/allow-more",
    ...on("conversation", "allowMore"),
    summary: "Let an agent that reached its limit ask more questions",
    description: "A person decides this: no agent can lift its own limit.",
    params: ofSession,
    status: 200,
    response: z.object({
      session_id: SessionId,
      ask_limit: z.number().int().describe("How many asks the turn can now make."),
    }),
    errors: ["session_not_found", "conversation_interrupted"],
  }),
  continueSession: define({
    method: "post",
    path: "/api/sessions/{id}/rounds/{n}/continue",
    ...on("conversation", "run"),
    summary: "Continue from a round in a new conversation",
    description:
      "The new conversation has the history up to the question of that round, which is pending again. The old one does not change.",
    params: z.object({ id: SessionId, n: z.coerce.number().int().min(1).max(2_147_483_647).describe("The round.") }),
    status: 201,
    response: z.object({ session_id: SessionId }),
    errors: ["session_not_found", "question_not_found"],
  }),
  exportSession: define({
    method: "get",
    path: "/api/sessions/{id}/export",
    ...on("conversation", "read"),
    summary: "Export a conversation as JSONL",
    params: ofSession,
    responseType: "jsonl",
    status: 200,
    response: z.object({}),
    errors: ["session_not_found"],
  }),
  importSession: define({
    method: "post",
    path: "/api/sessions/import",
    ...on("new conversation", "ask"),
    summary: "Import a conversation from JSONL (application/x-ndjson or application/jsonl)",
    bodyType: "jsonl",
    body: z.string(),
    status: 201,
    response: z.object({
      session_id: SessionId,
      messages: z.number().int().describe("How many messages were imported."),
      rounds: z.number().int().describe("How many rounds were imported."),
    }),
    errors: [],
  }),
  ask: define({
    method: "post",
    path: "/api/asks",
    ...on("conversation", "ask"),
    summary: "Ask a question",
    headers: ["Idempotency-Key"],
    description:
      "Accepts any of the shapes. Repeating a tool_use_id or idempotency_key in a conversation returns the existing ask. With `wait`, the call waits for the result.",
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
    ...on("conversation", "read"),
    summary: "Get an ask, or wait for its result",
    params: z.object({ tool_use_id: ToolUseId }),
    query: z.object({ session_id: SessionId, wait }),
    status: 200,
    response: asked,
    errors: ["session_not_found", "question_not_found"],
  }),
  report: define({
    method: "post",
    path: "/api/asks/{tool_use_id}/report",
    ...on("conversation", "ask"),
    summary: "Report the answer that the agent continued with",
    description:
      "For programs that can also ask in their own interface, as Claude Code does in its terminal. Marks the result as delivered; if the answer differs from the one on record, the thread and the audit record say so.",
    params: z.object({ tool_use_id: ToolUseId }),
    body: AskCall.pick({ session_id: true, session_key: true, agent: true }).extend({
      answers: z
        .array(z.string().max(20_000).nullable())
        .max(CONTRACT_LIMITS.structured.questions)
        .describe(
          "One per question, in order: a label, several labels joined by `, `, or free text; null for no answer.",
        ),
    }),
    status: 200,
    response: asked,
    errors: ["session_not_found", "question_not_found", "invalid_request"],
  }),
  answer: define({
    method: "post",
    path: "/api/task/answer",
    ...on("conversation", "answer"),
    summary: "Answer a question",
    description: "With an Idempotency-Key header, a retry gets the first reply again instead of duplicate_answer.",
    headers: ["Idempotency-Key"],
    query: z.object({
      ask: z.enum(["true", "false"]).optional().describe("`true` adds the ask to the reply, for clients that show it."),
    }),
    body: AnswerRequest,
    status: 200,
    response: Answered.extend({
      ask: AskView.optional().describe("With `ask=true`: the ask after this answer."),
    }),
    errors: [
      "idempotency_conflict",
      "invalid_answer",
      "session_not_found",
      "question_not_found",
      "duplicate_answer",
      "question_closed",
      "claimed",
      "second_person_required",
    ],
  }),
  answerMany: define({
    method: "post",
    path: "/api/task/answers",
    ...on("conversations", "answer"),
    summary: "Answer many questions; each is checked independently",
    headers: ["Idempotency-Key"],
    body: z.object({
      answers: z.array(AnswerRequest).min(1).max(CONTRACT_LIMITS.batchAnswers).describe("The answers."),
    }),
    status: 200,
    response: AnsweredEach,
    errors: [],
  }),
  answerSimilar: define({
    method: "post",
    path: "/api/task/answers/similar",
    ...on("conversation", "answer"),
    summary: "Give the same answer to many similar asks; each is checked independently",
    description:
      "The items must have the same questions and options as the ask that is named; `GET /api/inbox?similar=…` lists them. Neither irreversible questions nor those that someone else has claimed get the answer. Without `answers`, nothing is answered: the results say which of the items could be.",
    headers: ["Idempotency-Key"],
    body: z.object({
      session_id: SessionId,
      tool_use_id: ToolUseId.describe("The ask that the person saw."),
      content_hash: AnswerRequest.shape.content_hash,
      answers: AnswerRequest.shape.answers.describe("Answers to that ask, by question id."),
      inbox_item_ids: Items,
    }),
    status: 200,
    response: AnsweredEach,
    errors: ["session_not_found", "question_not_found", "idempotency_conflict"],
  }),
  reply: define({
    method: "post",
    path: "/api/task/reply",
    ...on("conversation", "answer"),
    summary: "Reply to an ask in words instead of choosing",
    description:
      "Settles the ask with the outcome `replied`: the agent gets the words and is told that none of its options was chosen. With an Idempotency-Key header, a retry gets the first reply again.",
    headers: ["Idempotency-Key"],
    body: Target.extend({
      text: ReplyText,
      content_hash: AnswerRequest.shape.content_hash,
      take_over: AnswerRequest.shape.take_over,
    }).refine(named, NAME_ONE),
    status: 200,
    response: asked,
    errors: [
      "idempotency_conflict",
      "invalid_answer",
      "session_not_found",
      "question_not_found",
      "duplicate_answer",
      "question_closed",
      "claimed",
      "second_person_required",
    ],
  }),
  reportDecision: define({
    method: "post",
    path: "/api/task/report",
    ...on("conversation", "report"),
    summary: "Report what a person decided where Parley could not see it",
    description:
      "For an agent whose own terminal or form shows its question too. Only the agent that asked can report, it can decline an irreversible question but not answer it, and `decided_by.provenance` is always `reported`. Give `answers`, `text` (words instead of a choice) or `reason` (closed without an answer). With an Idempotency-Key header, a retry gets the first reply again.",
    headers: ["Idempotency-Key"],
    body: z
      .object({
        session_id: SessionId,
        tool_use_id: ToolUseId,
        by: z.string().max(100).optional().describe("The name of the person, if the agent knows it."),
        content_hash: AnswerRequest.shape.content_hash,
        answers: AnswerRequest.shape.answers,
        text: ReplyText.optional().describe("What the person wrote instead of choosing."),
        reason: z
          .string()
          .trim()
          .min(1)
          .max(CONTRACT_LIMITS.reason)
          .optional()
          .describe("Why the question was closed without an answer."),
      })
      .refine(({ answers, text, reason }) => [answers, text, reason].filter((one) => one !== undefined).length === 1, {
        message: "give exactly one of answers, text and reason",
        path: ["answers"],
      }),
    status: 200,
    response: asked,
    errors: [
      "session_not_found",
      "question_not_found",
      "question_closed",
      "duplicate_answer",
      "invalid_answer",
      "idempotency_conflict",
      "second_person_required",
    ],
  }),
  extend: define({
    method: "post",
    path: "/api/task/extend",
    ...on("conversation", "tend"),
    summary: "Change or remove the deadline of an open ask",
    body: Target.extend({
      timeout_s: AskOptions.shape.timeout_s,
      deadline_at: z.iso
        .datetime({ offset: true })
        .nullable()
        .optional()
        .describe("Alternatively, the new deadline itself; null makes the ask wait forever."),
    })
      .refine(named, NAME_ONE)
      .refine(({ timeout_s, deadline_at }) => (timeout_s === undefined) !== (deadline_at === undefined), {
        message: "give either timeout_s or deadline_at",
        path: ["deadline_at"],
      }),
    status: 200,
    response: asked,
    errors: ["session_not_found", "question_not_found", "duplicate_answer", "question_closed"],
  }),
  cancel: define({
    method: "post",
    path: "/api/task/cancel",
    ...on("conversation", "cancel"),
    summary: "Cancel an open ask",
    body: Target.extend({
      reason: z.string().trim().min(1).max(CONTRACT_LIMITS.reason).describe("The reason, which the agent gets."),
      take_over: AnswerRequest.shape.take_over,
    }).refine(named, NAME_ONE),
    status: 200,
    response: asked,
    errors: ["session_not_found", "question_not_found", "duplicate_answer", "question_closed", "claimed"],
  }),
  reopen: define({
    method: "post",
    path: "/api/task/reopen",
    ...on("conversation", "answer"),
    summary: "Reopen an ask that timed out",
    body: Target.extend({
      timeout_s: z
        .number()
        .positive()
        .max(CONTRACT_LIMITS.timeoutSeconds)
        .optional()
        .describe("Seconds until it times out again; by default it waits forever."),
    }).refine(named, NAME_ONE),
    status: 200,
    response: asked,
    errors: ["session_not_found", "question_not_found", "conversation_interrupted"],
  }),
  resume: define({
    method: "post",
    path: "/api/task/resume",
    ...on("conversation", "answer"),
    summary: "Let the agent continue with an answer you held back",
    body: Target.refine(named, NAME_ONE),
    status: 200,
    response: asked,
    errors: ["invalid_answer", "session_not_found", "question_not_found", "duplicate_answer", "question_closed"],
  }),
  readDraft: define({
    method: "get",
    path: "/api/me/drafts",
    needs: ["account"],
    resource: "conversation",
    summary: "Read your draft answer",
    query: z.object({ session_id: SessionId, tool_use_id: ToolUseId }),
    status: 200,
    response: z.object({
      value: z.unknown().describe("As your browser saved it; null if there is none."),
      saved_at: z.iso.datetime().nullable().describe("When."),
    }),
    errors: ["session_not_found"],
  }),
  saveDraft: define({
    method: "post",
    path: "/api/me/drafts",
    needs: ["account"],
    resource: "conversation",
    summary: "Save your draft answer for your other devices",
    body: z.object({
      session_id: SessionId,
      tool_use_id: ToolUseId,
      value: z.unknown().describe("The draft, at most 64 KiB; null removes it."),
    }),
    status: 200,
    response: z.object({}),
    errors: ["session_not_found"],
  }),
  claim: define({
    method: "post",
    path: "/api/inbox/claim",
    ...on("conversations", "tend"),
    summary: "Claim questions, so that colleagues see you are on them",
    description: "A claim expires after half an hour (CLAIM_EXPIRES_AFTER_S); claiming again renews it.",
    body: z.object({
      inbox_item_ids: Items,
      take_over: z.boolean().optional().describe("Claim them even if someone else has."),
    }),
    status: 200,
    response: Results,
    errors: [],
  }),
  release: define({
    method: "post",
    path: "/api/inbox/release",
    ...on("conversations", "tend"),
    summary: "Release claims",
    body: z.object({ inbox_item_ids: Items }),
    status: 200,
    response: Results,
    errors: [],
  }),
  assign: define({
    method: "post",
    path: "/api/inbox/assign",
    ...on("conversations", "tend"),
    summary: "Assign questions to a person, or to nobody",
    description: "While the person is out of office, their delegate gets them.",
    body: z.object({
      inbox_item_ids: Items,
      person_id: z.string().max(64).nullable().describe("The person; null for nobody."),
    }),
    status: 200,
    response: Results,
    errors: [],
  }),
  snooze: define({
    method: "post",
    path: "/api/inbox/snooze",
    ...on("conversations", "tend"),
    summary: "Put questions away until a time, for yourself",
    description:
      "They leave your inbox, and you are not notified about them until then; others still see them. A question comes back at the latest 15 minutes before its deadline, or halfway to it if that is sooner. Then you are notified again.",
    body: z.object({
      inbox_item_ids: Items,
      until: z.iso
        .datetime({ offset: true })
        .nullable()
        .describe("When they come back, within a year; null brings them back now."),
    }),
    status: 200,
    response: z.object({
      results: z
        .array(
          z.union([
            z.object({
              success: z.literal(true),
              inbox_item_id: InboxItem.shape.inbox_item_id,
              snoozed_until: InboxItem.shape.snoozed_until,
            }),
            ErrorEnvelope,
          ]),
        )
        .describe("One result per item, in the order of the request; each is decided independently."),
    }),
    errors: [],
  }),
  skills: define({
    method: "get",
    path: "/api/skills",
    needs: ["read"],
    resource: "none",
    summary: "List the question templates",
    description:
      "The templates of the project: `.claude/skills/<folder>/SKILL.md` files with an `ask_user_question` block.",
    status: 200,
    response: SkillList,
    errors: [],
  }),
  inbox: define({
    method: "get",
    path: "/api/inbox",
    needs: ["read"],
    resource: "lists",
    summary: "List the questions that need an answer",
    description:
      "Open items come first, earliest deadline first; then settled items, latest first. With filters or search, changes can take up to a second to appear.",
    query: InboxQuery,
    status: 200,
    response: InboxPage,
    errors: [],
  }),
  exportInbox: define({
    method: "get",
    path: "/api/inbox/export",
    needs: ["read"],
    resource: "lists",
    summary: "Export the inbox, with its filters, as CSV or JSONL",
    description:
      "CSV has a header line, CRLF line ends and a byte order mark, as spreadsheets expect, and a `'` before values that a spreadsheet would read as a formula. JSONL has one inbox item per line, unchanged.",
    query: ExportQuery,
    responseType: "file",
    status: 200,
    response: z.object({}),
    errors: [],
  }),
  insights: define({
    method: "get",
    path: "/api/insights",
    needs: ["read"],
    resource: "lists",
    summary: "Show how quickly people answer, who asks and answers, and what is asked",
    description: "Covers questions settled in a period, up to a second ago. Times are accurate to within 1 %.",
    query: InsightsQuery,
    status: 200,
    response: Insights,
    errors: [],
  }),
  exportInsights: define({
    method: "get",
    path: "/api/insights/export",
    needs: ["read"],
    resource: "lists",
    summary: "Export one table of the insights as CSV",
    query: InsightsExport,
    responseType: "file",
    status: 200,
    response: z.object({}),
    errors: [],
  }),
  find: define({
    method: "get",
    path: "/api/find",
    needs: ["read"],
    resource: "lists",
    summary: "Find conversations and agents by words, for a command palette",
    query: SessionFilter.pick({ q: true }),
    status: 200,
    response: FoundByWords,
    errors: [],
  }),
  audit: define({
    method: "get",
    path: "/api/audit",
    ...on("conversation", "read"),
    summary: "List who did what, and verify that the record is unchanged",
    query: AuditQuery,
    status: 200,
    response: AuditPage,
    errors: ["session_not_found", "question_not_found"],
  }),
  exportAudit: define({
    method: "get",
    path: "/api/audit/export",
    needs: ["observe"],
    resource: "team",
    summary: "Export the audit record of everything as JSON Lines",
    description:
      "One event per line, in the order in which they were sealed, each with its `position`, `session_id` (`parley` for people, keys and spaces) and `sealed_at`. To resume, send the position of your last line as `after`: nothing is left out or repeated. Events appear within a second, once they are sealed.",
    query: AuditExport,
    responseType: "file",
    status: 200,
    response: z.object({}),
    errors: [],
  }),
  ...TEAM_OPERATIONS,
  ...NOTIFY_OPERATIONS,
} satisfies Record<string, Operation>;

export type OperationId = keyof typeof OPERATIONS;
