import { hash as digest, randomUUID } from "node:crypto";
import { z } from "zod";
import { type NewMessage, NO_PARENT } from "../db/change.ts";
import type { Ask } from "../domain/ask.ts";
import { canonicalJson } from "../domain/canonical-json.ts";
import { importedBy, importedResult } from "../domain/imported-ask.ts";
import { blocksOf, type ChainBlock, type ChainLine } from "../domain/jsonl.ts";
import { createNormalise, TOOL_NAMES } from "../domain/normalise.ts";
import { beginning, invalidRequest, readInput } from "../domain/read-input.ts";
import { requireRight } from "../domain/rights.ts";
import type { Call } from "../protocol/actor.ts";
import { isParleyError, type Problem } from "../protocol/errors.ts";
import { newId } from "../protocol/ids.ts";
import { DEFAULT_LIMITS } from "../protocol/limits.ts";
import { askEvents, askRow, inboxRow, plainChange, questionContent, questionRows } from "./changes.ts";
import type { HubContext } from "./context.ts";

const AGENT = "imported";
const Line = z.looseObject({ type: z.string() });

/** Beyond these a year has more than four digits, which the replies do not allow. */
const EARLIEST = Date.parse("0000-01-01T00:00:00Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

/** Whatever another program allowed itself is taken over: it happened. */
const normaliseLoosely = createNormalise({
  ...DEFAULT_LIMITS,
  maxQuestions: 20,
  maxOptions: 50,
  headerMax: 500,
  questionMax: 20_000,
});

type Part = { block: ChainBlock; line: ChainLine; first: boolean };

/** A thread from JSONL as a new conversation: what is known becomes messages and settled rounds, the rest is kept. */
export async function importSession(
  ctx: HubContext,
  call: Call,
  text: string,
): Promise<{ session_id: string; messages: number; rounds: number }> {
  requireRight(call.actor, "ask");
  const parts = parse(text).flatMap((line) =>
    blocksOf(line).map((block, index): Part => ({ block, line, first: index === 0 })),
  );
  const conversation_id = newId("conversation", call.now);
  const command_id = newId("command", call.now);
  const asks = asksIn(parts, conversation_id, command_id, call);
  const messages = messagesOf(parts, asks, call.now);
  const rounds = [...asks.values()];
  const after = { messages: messages.length, rounds: rounds.length };
  const plain = plainChange(conversation_id, call, "conversation.imported", after, command_id);

  await ctx.commit({
    ...plain,
    guard: { kind: "create" },
    create: {
      title: titleOf(parts),
      agent: AGENT,
      interactive: true,
      metadata: JSON.stringify({ imported_from: parts.find((part) => part.line.sessionId)?.line.sessionId ?? null }),
      ask_limit: rounds.length + ctx.limits.maxDepth,
      forked_from: null,
      forked_round: null,
    },
    rounds: rounds.length,
    asks: rounds.map((ask, index) => askRow(ask, index + 1, ask.sequence_num)),
    questions: rounds.flatMap(questionRows),
    answers: rounds.flatMap((ask) =>
      (ask.result?.answers ?? []).map((answer) => ({
        question_id: answer.question_id,
        value: JSON.stringify(answer),
        answered_by: JSON.stringify(importedBy()),
        answered_at: ask.decided_at ?? call.now,
        idempotency_key: null,
      })),
    ),
    messages,
    inbox: rounds.map((ask, index) => inboxRow(ask, AGENT, index + 1)),
    ask_events: askEvents(plain, "ask.imported", rounds),
  });
  return { session_id: conversation_id, messages: messages.length, rounds: rounds.length };
}

function parse(text: string): ChainLine[] {
  const problems: Problem[] = [];
  const lines = text.split("\n").flatMap((raw, index): ChainLine[] => {
    if (raw.trim() === "") return [];
    try {
      return [readInput(Line, JSON.parse(raw))];
    } catch (error) {
      problems.push({
        path: `line ${index + 1}`,
        message: isParleyError(error) ? error.message : "is not a JSON object",
      });
      return [];
    }
  });
  if (problems.length > 0) throw invalidRequest(problems);
  if (lines.length === 0) throw invalidRequest([{ path: "line 1", message: "the file holds no line" }]);
  return lines;
}

/** By the part that asked: the calls of the question tool, with what became of them. */
function asksIn(parts: Part[], conversation_id: string, command_id: string, { now }: Call): Map<Part, Ask> {
  const results = new Map(
    parts.flatMap((part) =>
      part.block.type === "tool_result" ? [[String(part.block.content.tool_use_id), part]] : [],
    ),
  );
  const asks = new Map<Part, Ask>();
  const taken = new Set<string>();
  for (const [index, part] of parts.entries()) {
    const { block, line } = part;
    if (block.type !== "tool_use" || !TOOL_NAMES.includes(String(block.content.name))) continue;
    const asked = tryNormalise(block.content);
    const ids = asked?.questions.map((question) => question.question_id) ?? [];
    if (!asked || taken.has(asked.tool_use_id) || ids.some((id) => taken.has(`?${id}`))) continue;
    taken.add(asked.tool_use_id);
    for (const id of ids) taken.add(`?${id}`);
    const answered = results.get(asked.tool_use_id);
    const given = answered && {
      content: String(answered.block.content.content),
      is_error: answered.block.content.is_error === true,
      output: answered.line.toolUseResult,
    };
    const result = importedResult(asked, given);
    const decided_at = answered ? timeOf(answered.line, now) : now;
    asks.set(part, {
      conversation_id,
      tool_use_id: asked.tool_use_id,
      tool_name: asked.tool_name,
      input: asked.input,
      round: asks.size + 1,
      total_rounds: null,
      shape: asked.shape,
      content_hash: digest("sha256", canonicalJson(asked.input), "hex"),
      idempotency_key: null,
      turn_id: null,
      status: result.outcome,
      version: 1,
      command_id,
      sequence_num: index + 1,
      inbox_item_id: newId("inbox", now),
      deadline_at: null,
      on_timeout: "terminate",
      asked_by: { kind: "agent", name: AGENT, surface: "import" },
      created_at: timeOf(line, now),
      decided_at,
      result,
      delivered_at: null,
      questions: asked.questions.map((question) => {
        const answer = result.answers.find((one) => one.question_id === question.question_id);
        const status = answer ? "answered" : question.parent ? "inactive" : "cancelled";
        return {
          ...question,
          status,
          answered: answer ? { answer, by: importedBy(), at: decided_at, idempotency_key: null } : null,
        };
      }),
    });
  }
  return asks;
}

function tryNormalise(call: Record<string, unknown>) {
  try {
    return normaliseLoosely(call, () => randomUUID());
  } catch (error) {
    if (isParleyError(error)) return undefined;
    throw error;
  }
}

function messagesOf(parts: Part[], asks: Map<Part, Ask>, now: number): NewMessage[] {
  let before: string | undefined;
  return parts.map((part) => {
    const { block, line, first } = part;
    const ask = asks.get(part);
    const uuid = first && typeof line.uuid === "string" && line.uuid.length <= 100 ? line.uuid : randomUUID();
    const named = parentOf(line);
    const parent = first && named !== undefined && (named ?? undefined) !== before ? (named ?? NO_PARENT) : null;
    before = uuid;
    return {
      uuid,
      parent_uuid: parent,
      turn_id: null,
      type: ask ? "ask_user_question" : block.type,
      role: block.role,
      content: JSON.stringify(ask ? questionContent(ask) : block.content),
      metadata: JSON.stringify(first ? { line } : { part_of: line.uuid ?? null }),
      created_at: timeOf(line, now),
    };
  });
}

/** Other programs may write anything there; what cannot be the name of a message is as if it were not said. */
function parentOf({ parentUuid }: ChainLine): string | null | undefined {
  return parentUuid === null || (typeof parentUuid === "string" && parentUuid.length <= 100) ? parentUuid : undefined;
}

function timeOf(line: ChainLine, now: number): number {
  const at = typeof line.timestamp === "string" ? Date.parse(line.timestamp) : Number.NaN;
  return at >= EARLIEST && at <= LATEST ? at : now;
}

function titleOf(parts: Part[]): string | null {
  const summary = parts.find((part) => typeof part.line.summary === "string")?.line.summary;
  const first = parts.find((part) => part.block.type === "text" && part.block.role === "user")?.block.content.text;
  const title = summary ?? first;
  return typeof title === "string" && title !== "" ? beginning(title, 80) : null;
}
