import type { Actor, DecidedBy } from "../protocol/actor.ts";
import type { AnswerInput, CheckedAnswer } from "../protocol/answer.ts";
import type { Result } from "../protocol/ask.ts";
import type { AuditAction } from "../protocol/audit.ts";
import { lengthProblem } from "../protocol/characters.ts";
import { ParleyError } from "../protocol/errors.ts";
import type { InfoEvent, MessageBody, MessageContent } from "../protocol/message.ts";
import type { SessionStatus } from "../protocol/session.ts";
import { checkAnswer } from "./answers.ts";
import type { Answered, Ask, AskQuestion } from "./ask.ts";
import { atDeadline } from "./deadline.ts";
import { mapTree, missing } from "./follow-ups.ts";
import { QUESTION_TYPES } from "./question-types.ts";
import { decidedBy } from "./rights.ts";
import { choicesIn } from "./shapes/claude-choices.ts";
import { resultOf, type SettledWords } from "./shapes/results.ts";
import { SHAPES } from "./shapes/shapes.ts";
import { answerText } from "./views/answer-text.ts";

/** One step of an ask: the state after it, and what to record. No state changes in any other way. */
export type Move = {
  ask: Ask;
  action: AuditAction;
  question_id: string | null;
  /** Answers that this step adds. */
  answers: Answered[];
  /** What the thread says about it; null if it says nothing. */
  message: MessageBody | null;
  /** For the audit: what changed. */
  before: Record<string, unknown>;
  after: Record<string, unknown>;
};

export type AnswerCommand = {
  /** By question id, or by question index from 0 where `indexed`. */
  given: ReadonlyMap<string, AnswerInput | undefined>;
  indexed: boolean;
  idempotency_key: string | null;
  textMax: number;
  /** If false, the answer is kept and the agent waits until someone resumes it. */
  resume: boolean;
  /** Whether it is one of several answers that were sent together. */
  inBulk?: boolean;
};

export type ReplyCommand = { text: string; idempotency_key: string | null; textMax: number };

/** What the agent of a conversation is doing, as it is stored. */
export type RunState = Exclude<SessionStatus, "waiting_input" | "closed">;

/** What a conversation is doing, as clients see it. */
export function sessionStatus(row: {
  run_state: RunState;
  pending_asks: number;
  closed_at: number | null;
}): SessionStatus {
  if (row.closed_at !== null) return "closed";
  if (row.pending_asks > 0 && (row.run_state === "active" || row.run_state === "streaming")) return "waiting_input";
  return row.run_state;
}

export const isPending = (ask: Ask): boolean => ask.status === "pending";

/** pending → answered, or still pending with more answers. Throws the error for a caller who lost a race or is wrong. */
export function answer(ask: Ask, command: AnswerCommand, actor: Actor, now: number): Move {
  const left = new Map(command.given);
  for (const id of left.keys()) requireOpen(ask, id);
  if (command.inBulk && ask.irreversible) throw notInBulk(ask);
  const added: Answered[] = [];
  const questions = mapTree(ask.questions, (question) => {
    if (!left.has(question.question_id)) return question;
    if (question.status === "inactive") throw notFound(question.question_id);
    if (question.answered) throw duplicate(question.question_id, question.answered);
    const { takesLabels } = SHAPES[ask.shape];
    const dialect = { takesLabels, indexed: command.indexed, textMax: command.textMax };
    const checked = checkAnswer(question, left.get(question.question_id), dialect);
    left.delete(question.question_id);
    const answered: Answered = {
      answer: checked,
      by: decidedBy(actor),
      at: now,
      idempotency_key: command.idempotency_key,
    };
    added.push(answered);
    return { ...question, status: "answered", answered };
  });
  const question_id = added[0]?.answer.question_id ?? null;
  const answers = added.map((one) => one.answer);
  if (missing(questions).length > 0 || !command.resume) {
    return {
      ask: { ...ask, version: ask.version + 1, questions },
      action: "question.answered",
      question_id,
      answers: added,
      message: info("question.answered", { tool_use_id: ask.tool_use_id, answers, by: decidedBy(actor) }),
      before: { status: ask.status },
      after: { status: ask.status, answers },
    };
  }
  const move = settle(ask, "answered", decidedBy(actor), now, closeOpen(questions, "cancelled"));
  return { ...move, question_id, answers: added, after: { answers, ...move.after } };
}

/** pending → answered, for an ask whose answers were kept until someone resumes the agent. */
export function resume(ask: Ask, now: number): Move {
  requirePending(ask);
  const last = ask.questions.flatMap(({ answered }) => (answered ? [answered] : [])).at(-1);
  const open = missing(ask.questions);
  if (!last || open.length > 0) {
    const missingIds = open.map((question) => question.question_id);
    throw new ParleyError("invalid_answer", "The agent cannot continue yet: an answer is required.", {
      missing: missingIds,
    });
  }
  return settle(ask, "answered", last.by, now, closeOpen(ask.questions, "cancelled"));
}

/**
 * pending → replied: a person answered in words instead of choosing. Answers that were given before remain; the other
 * questions are closed without one.
 */
export function reply(ask: Ask, command: ReplyCommand, actor: Actor, now: number): Move {
  requirePending(ask);
  const { text, idempotency_key: reply_key, textMax } = command;
  const problem = lengthProblem(text, textMax);
  if (problem !== undefined) {
    throw new ParleyError("invalid_answer", `The reply was rejected: the text ${problem}.`, {
      problem: `the text ${problem}`,
      expected: { max_characters: textMax },
    });
  }
  const questions = closeOpen(ask.questions, "cancelled");
  const move = settle(ask, "replied", decidedBy(actor), now, questions, { reply: text });
  return { ...move, ask: { ...move.ask, reply_key } };
}

/** pending → pending with another deadline, or none. Undefined if that is its deadline already. */
export function extend(ask: Ask, deadline_at: number | null, actor: Actor): Move | undefined {
  requirePending(ask);
  if (ask.deadline_at === deadline_at) return undefined;
  const iso = deadline_at === null ? null : new Date(deadline_at).toISOString();
  return {
    ask: { ...ask, version: ask.version + 1, deadline_at },
    action: "question.extended",
    question_id: ask.questions[0]?.question_id ?? null,
    answers: [],
    message: info("question.extended", { tool_use_id: ask.tool_use_id, deadline_at: iso, by: decidedBy(actor) }),
    before: { status: ask.status, deadline_at: ask.deadline_at },
    after: { status: ask.status, deadline_at },
  };
}

/** pending → cancelled. */
export function cancel(ask: Ask, reason: string, actor: Actor, now: number): Move {
  requirePending(ask);
  return settle(ask, "cancelled", decidedBy(actor), now, closeOpen(ask.questions, "cancelled"), { reason });
}

/** pending → timeout, with the defaults if the ask wants them and has them. Undefined if it is not due. */
export function expire(ask: Ask, now: number, mayTakeDefaults = true): Move | undefined {
  if (!isPending(ask) || ask.deadline_at === null || ask.deadline_at > now) return undefined;
  const due = atDeadline(mayTakeDefaults ? ask : { ...ask, on_timeout: "terminate" });
  if (due.outcome === "kept") return resume(ask, now);
  const taken = due.outcome === "defaults" ? due.questions : undefined;
  const by: DecidedBy = taken
    ? { kind: "default", name: "default", surface: "deadline" }
    : { kind: "system", name: "parley", surface: "deadline" };
  const questions = closeOpen(ask.questions, "timeout");
  const move = settle(ask, "timeout", by, now, taken ?? questions);
  // The agent gets the defaults, but nobody gave them: the questions remain unanswered.
  return { ...move, ask: { ...move.ask, questions } };
}

/** timeout → pending. Without a new deadline it waits forever, because the old one has passed. */
export function reopen(ask: Ask, deadline_at: number | null, actor: Actor): Move {
  if (ask.status !== "timeout") {
    throw new ParleyError(
      "invalid_request",
      `Only a question that timed out can be reopened; this one is ${ask.status}.`,
      { status: ask.status },
    );
  }
  const questions = mapTree(
    ask.questions.map((question) => (question.status === "timeout" ? reset(question) : question)),
    (question) => question,
  );
  return {
    ask: {
      ...ask,
      version: ask.version + 1,
      status: "pending",
      deadline_at,
      decided_at: null,
      delivered_at: null,
      result: null,
      questions,
    },
    action: "question.reopened",
    question_id: ask.questions[0]?.question_id ?? null,
    answers: [],
    message: info("question.reopened", { tool_use_id: ask.tool_use_id, by: decidedBy(actor) }),
    before: { status: ask.status, deadline_at: ask.deadline_at },
    after: { status: "pending", deadline_at },
  };
}

/**
 * The agent continued with answers that differ from the record, because someone answered elsewhere at the same time. Undefined
 * if they agree. If its report counts, the result says what it did, next to what was answered here; if only an answer here may
 * decide, that remains the result.
 */
export function answeredElsewhere(
  ask: Ask,
  given: ReadonlyArray<string | null>,
  actor: Actor,
  { now, counts }: { now: number; counts: boolean },
): Move | undefined {
  const questions = ask.questions.filter((question) => !question.parent);
  if (isPending(ask) || agrees(ask, questions, given)) return undefined;
  const went_on_with = given.filter((one) => one !== null).join("; ") || null;
  const recorded = recordedText(ask, questions);
  const reported = { answers: [...given], by: decidedBy(actor), at: new Date(now).toISOString() };
  return {
    ask: {
      ...ask,
      version: ask.version + 1,
      result: counts && ask.result ? { ...ask.result, went_on_with: reported } : ask.result,
    },
    action: "question.answered_elsewhere",
    question_id: ask.questions[0]?.question_id ?? null,
    answers: [],
    message: info("question.answered_elsewhere", {
      tool_use_id: ask.tool_use_id,
      went_on_with,
      recorded,
      text: `${wentOn(went_on_with)} ${counts ? "This counts. Answered here, too late" : "The record says"}: ${recorded}.`,
      counts,
      by: decidedBy(actor),
    }),
    before: { status: ask.status, recorded },
    after: { status: ask.status, went_on_with: given },
  };
}

/** The state in which an ask starts, and starts again when a conversation is continued from its round. */
export function pristine(ask: Ask, deadline_at: number | null): Ask {
  const questions = mapTree(ask.questions.map(reset), (question) => question);
  return {
    ...ask,
    status: "pending",
    version: 0,
    deadline_at,
    decided_at: null,
    delivered_at: null,
    result: null,
    reply_key: null,
    assignee: null,
    claim: null,
    questions,
  };
}

function duplicate(question_id: string, { by, at }: Pick<Answered, "by" | "at">): ParleyError {
  const when = new Date(at).toISOString();
  return new ParleyError("duplicate_answer", `${by.name} already answered ${question_id} (${by.surface}, ${when}).`, {
    question_id,
    answered_by: by,
    answered_at: when,
  });
}

export function notFound(question_id: string): ParleyError {
  return new ParleyError("question_not_found", `There is no open question ${question_id} in this conversation.`, {
    question_id,
  });
}

function settle(
  ask: Ask,
  outcome: Result["outcome"],
  by: DecidedBy,
  now: number,
  questions: AskQuestion[],
  words: SettledWords = {},
): Move {
  const result = resultOf({ ...ask, questions }, outcome, by, words);
  const actions = {
    answered: "question.answered",
    replied: "question.replied",
    cancelled: "question.cancelled",
    timeout: "question.timeout",
  } as const;
  const is_error = outcome === "cancelled" || (outcome === "timeout" && by.kind !== "default");
  return {
    ask: {
      ...ask,
      version: ask.version + 1,
      status: outcome,
      decided_at: now,
      delivered_at: null,
      claim: null,
      result,
      questions,
    },
    action: actions[outcome],
    question_id: ask.questions[0]?.question_id ?? null,
    answers: [],
    message: {
      type: "tool_result",
      role: "user",
      content: {
        tool_use_id: ask.tool_use_id,
        content: result.content,
        is_error,
        outcome,
        decided_by: by,
        ...(words.reason !== undefined && { reason: words.reason }),
      },
    },
    before: { status: ask.status },
    after: { status: outcome, decided_by: by, ...words },
  };
}

function agrees(ask: Ask, questions: AskQuestion[], given: ReadonlyArray<string | null>): boolean {
  if (ask.status === "replied") return given.some((one) => one?.trim() === ask.result?.reply);
  return ask.status === "answered" && questions.every((question, index) => isAnswerTo(question, given[index] ?? null));
}

function isAnswerTo({ type, options, answered }: AskQuestion, given: string | null): boolean {
  if (given === null || given === "") return !answered || answerText(answered.answer) === "";
  const labels = options.map(({ label }) => label);
  const { chosen, other } = choicesIn(given, labels, QUESTION_TYPES[type].isMany);
  const recorded: Pick<CheckedAnswer, "labels" | "text"> = answered?.answer ?? { labels: [], text: null };
  const isSame = recorded.labels.length === chosen.length && chosen.every((label) => recorded.labels.includes(label));
  return isSame && (recorded.text ?? "").trim() === other.trim();
}

function wentOn(answer: string | null): string {
  return answer === null
    ? "The agent went on without an answer: the question was declined elsewhere."
    : `The agent went on with "${answer}", which it was given elsewhere.`;
}

function recordedText({ status, result }: Ask, questions: AskQuestion[]): string {
  if (status === "replied") return `"${result?.reply}"`;
  if (status !== "answered") return status;
  return questions.map(({ answered }) => (answered ? `"${answerText(answered.answer)}"` : "no answer")).join("; ");
}

function info(event: InfoEvent, content: MessageContent["info"]): MessageBody {
  return { type: "info", role: "system", content: { event, ...content } };
}

function closeOpen(questions: AskQuestion[], status: "cancelled" | "timeout"): AskQuestion[] {
  return questions.map((question) => (question.status === "pending" ? { ...question, status } : question));
}

function reset(question: AskQuestion): AskQuestion {
  return { ...question, status: question.parent ? "inactive" : "pending", answered: null };
}

export function requirePending(ask: Ask): void {
  if (isPending(ask)) return;
  const id = ask.questions[0]?.question_id ?? ask.tool_use_id;
  if (ask.status === "answered" || ask.status === "replied") throw alreadySettled(ask, id);
  throw closed(ask, id);
}

function requireOpen(ask: Ask, question_id: string): void {
  const question = ask.questions.find((one) => one.question_id === question_id);
  if (!question || question.status === "inactive") {
    if (!question || !isPending(ask)) throw notFound(question_id);
    return;
  }
  if (isPending(ask)) return;
  const { answered } = question;
  if (answered && (ask.status === "answered" || ask.status === "replied")) throw duplicate(question_id, answered);
  throw ask.status === "replied" ? alreadySettled(ask, question_id) : closed(ask, question_id);
}

/** Names the person who settled the ask, whichever of its questions this one is. */
function alreadySettled(ask: Ask, question_id: string): ParleyError {
  if (!ask.result) return closed(ask, question_id);
  return duplicate(question_id, { by: ask.result.decided_by, at: ask.decided_at ?? ask.created_at });
}

export function notInBulk({ tool_use_id, questions }: Ask): ParleyError {
  return new ParleyError(
    "invalid_request",
    `The question ${questions[0]?.question_id ?? tool_use_id} is irreversible, so it cannot be answered together with others. Answer it separately.`,
    { problems: [{ path: "question_id", message: "is irreversible: answer it separately" }] },
  );
}

function closed(ask: Ask, question_id: string): ParleyError {
  const by = ask.result?.decided_by;
  const how =
    ask.status === "timeout"
      ? "timed out"
      : ask.status === "answered"
        ? "was settled without it"
        : `was cancelled by ${by?.name}`;
  return new ParleyError("question_closed", `The question ${question_id} is closed: it ${how}.`, {
    question_id,
    status: ask.status,
    decided_by: by,
    reason: ask.result?.reason,
    decided_at: ask.decided_at === null ? null : new Date(ask.decided_at).toISOString(),
  });
}
