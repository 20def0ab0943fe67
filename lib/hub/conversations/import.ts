import { hash as digest, randomUUID } from "node:crypto";
import { z } from "zod";
import { type NewMessage, NO_PARENT } from "../../db/change.ts";
import { toJson } from "../../db/json.ts";
import type { Ask } from "../../domain/ask.ts";
import { canonicalJson } from "../../domain/json.ts";
import { invalidRequest, readJson } from "../../domain/read-input.ts";
import { IMPORTED_BY, importedResult } from "../../domain/shapes/imported-ask.ts";
import { createNormalise, type NormalisedAsk } from "../../domain/shapes/normalise.ts";
import { TOOL_NAMES } from "../../domain/shapes/shapes.ts";
import { blocksOf, type ChainBlock, type ChainLine } from "../../domain/views/jsonl.ts";
import type { Call } from "../../protocol/actor.ts";
import { beginning } from "../../protocol/characters.ts";
import { isParleyError, ParleyError, type Problem } from "../../protocol/errors.ts";
import { newId } from "../../protocol/ids.ts";
import { CONTRACT_LIMITS, DEFAULT_LIMITS } from "../../protocol/limits.ts";
import { yieldOften } from "../background/yield-often.ts";
import { questionContent } from "../changes.ts";
import type { HubContext } from "../context.ts";
import { type BuildContext, buildConversation, type Piece, Pieces } from "./build.ts";

const AGENT = "imported";
const Line = z.looseObject({ type: z.string() });

/** Replies allow only four-digit years. */
const EARLIEST = Date.parse("0000-01-01T00:00:00Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

/** Imports accept whatever the other program allowed; it already happened. */
const normaliseLoosely = createNormalise({
  ...DEFAULT_LIMITS,
  maxQuestions: 20,
  maxOptions: 50,
  headerMax: 500,
  questionMax: 20_000,
});

type ToolResult = { content: string; is_error: boolean; output: unknown; at: number };

/** Facts about a thread that its first row needs. */
type Survey = {
  title: string | null;
  imported_from: string | null;
  /** Results of the question tool, by the id of the call. */
  results: ReadonlyMap<string, ToolResult>;
};

/**
 * Imports a JSONL thread as a new conversation: known lines become messages and settled rounds, the rest is kept as it is.
 * It reads the lines twice, to check them all and then to write them, so that never all of them are parsed in memory.
 */
export async function importConversation(
  ctx: BuildContext & Pick<HubContext, "access" | "limits">,
  call: Call,
  lines: string | Buffer,
): Promise<{ conversation_id: string; messages: number; rounds: number }> {
  const bytes = typeof lines === "string" ? Buffer.from(lines) : lines;
  const surveyed = await survey(bytes, call.now);
  const conversation_id = newId("conversation", call.now);
  const at = ctx.access.create(call, conversation_id, { agent: AGENT });
  const { space_id, api_key_id } = at;
  const counts = { messages: 0, rounds: 0 };
  await buildConversation(ctx, at, {
    create: {
      title: surveyed.title,
      agent: AGENT,
      interactive: true,
      metadata: toJson({ imported_from: surveyed.imported_from }),
      forked_from: null,
      forked_round: null,
      space_id,
      api_key_id,
    },
    actions: { conversation: "conversation.imported", ask: "ask.imported" },
    pieces: piecesOf(bytes, surveyed, conversation_id, call.now, counts),
    complete: () => ({
      pending: [],
      after: { ...counts },
      ask_limit: counts.rounds + ctx.limits.maxDepth,
      total_rounds: null,
      turn: null,
    }),
  });
  return { conversation_id, ...counts };
}

/** Checks every line, and refuses the whole file with all problems and their places. */
async function survey(bytes: Buffer, now: number): Promise<Survey> {
  const pause = yieldOften();
  const problems: Problem[] = [];
  const results = new Map<string, ToolResult>();
  const asked = new Set<string>();
  let messages = 0;
  let summary: string | undefined;
  let first: string | undefined;
  let imported_from: string | undefined;
  for (const { number, raw } of linesOf(bytes)) {
    await pause();
    const line = readLine(raw, number, problems);
    if (!line) continue;
    if (typeof line.summary === "string") summary ??= line.summary;
    if (typeof line.sessionId === "string" && line.sessionId !== "") imported_from ??= line.sessionId;
    const blocks = blocksOf(line);
    messages += blocks.length;
    if (messages > CONTRACT_LIMITS.importMessages)
      throw tooLarge(`more than ${CONTRACT_LIMITS.importMessages} messages`);
    for (const { type, role, content } of blocks) {
      if (type === "text" && role === "user" && typeof content.text === "string") first ??= content.text;
      if (type === "tool_use" && TOOL_NAMES.includes(String(content.name))) asked.add(String(content.id));
      if (type === "tool_result" && asked.has(String(content.tool_use_id))) {
        const result = { content: String(content.content), is_error: content.is_error === true };
        const at = timeOf(line, now);
        results.set(String(content.tool_use_id), { ...result, output: line.toolUseResult, at });
      }
    }
  }
  if (problems.length > 0) throw invalidRequest(problems);
  if (messages === 0) throw invalidRequest([{ path: "line 1", message: "the file holds no line" }]);
  const title = summary ?? first;
  return { title: title ? beginning(title, 80) : null, imported_from: imported_from ?? null, results };
}

async function* piecesOf(
  bytes: Buffer,
  { results }: Survey,
  conversation_id: string,
  now: number,
  counts: { messages: number; rounds: number },
): AsyncGenerator<Piece> {
  const pause = yieldOften();
  const pieces = new Pieces();
  const taken = new Set<string>();
  let before: string | undefined;
  for (const { number, raw } of linesOf(bytes)) {
    await pause();
    const line = readLine(raw, number, []);
    if (!line) continue;
    for (const [index, block] of blocksOf(line).entries()) {
      counts.messages += 1;
      const asked = askedBy(block, taken);
      const ask = asked && importedAsk(asked, results.get(asked.tool_use_id), timeOf(line, now), now);
      if (ask) counts.rounds += 1;
      const row = ask && { ...ask, conversation_id, round: counts.rounds, sequence_num: counts.messages };
      const message = messageOf(block, line, index === 0, before, row, now);
      before = message.uuid;
      const full = pieces.add(message, row);
      if (full) yield full;
    }
  }
  yield pieces.rest();
}

/** Blank lines count towards the limit too. */
function* linesOf(bytes: Buffer): Generator<{ number: number; raw: string }> {
  for (let from = 0, number = 1; from < bytes.length; number++) {
    if (number > CONTRACT_LIMITS.importMessages) throw tooLarge(`more than ${CONTRACT_LIMITS.importMessages} lines`);
    const end = bytes.indexOf("\n", from);
    const to = end < 0 ? bytes.length : end;
    if (to - from > CONTRACT_LIMITS.importLineBytes)
      throw tooLarge(`a line of more than ${MIB(CONTRACT_LIMITS.importLineBytes)} (line ${number})`);
    const raw = bytes.toString("utf8", from, to);
    from = to + 1;
    if (raw.trim() !== "") yield { number, raw };
  }
}

const MIB = (bytes: number) => `${bytes / 1024 / 1024} MiB`;

function tooLarge(what: string): ParleyError {
  const { importMessages: max_lines, importLineBytes: max_line_bytes } = CONTRACT_LIMITS;
  return new ParleyError("payload_too_large", `The thread has ${what}. Split it and import the parts.`, {
    max_lines,
    max_line_bytes,
  });
}

function readLine(raw: string, number: number, problems: Problem[]): ChainLine | undefined {
  try {
    return readJson(Line, raw, CONTRACT_LIMITS.importLineValues);
  } catch (error) {
    const message = isParleyError(error) ? error.message : "is not a JSON object";
    problems.push({ path: `line ${number}`, message });
    return undefined;
  }
}

/** The ask in this block; undefined if it is no call of the question tool, or its ids are taken. */
function askedBy(block: ChainBlock, taken: Set<string>): NormalisedAsk | undefined {
  if (block.type !== "tool_use" || !TOOL_NAMES.includes(String(block.content.name))) return undefined;
  const asked = tryNormalise(block.content);
  const ids = asked?.questions.map((question) => question.question_id) ?? [];
  if (!asked || taken.has(asked.tool_use_id) || ids.some((id) => taken.has(`?${id}`))) return undefined;
  taken.add(asked.tool_use_id);
  for (const id of ids) taken.add(`?${id}`);
  return asked;
}

function importedAsk(
  asked: NormalisedAsk,
  toolResult: ToolResult | undefined,
  created_at: number,
  now: number,
): Omit<Ask, "conversation_id" | "round" | "sequence_num"> {
  const result = importedResult(asked, toolResult);
  const decided_at = toolResult?.at ?? now;
  const answers = new Map(result.answers.map((answer) => [answer.question_id, answer]));
  return {
    tool_use_id: asked.tool_use_id,
    tool_name: asked.tool_name,
    input: asked.input,
    total_rounds: null,
    shape: asked.shape,
    content_hash: digest("sha256", canonicalJson(asked.input), "hex"),
    idempotency_key: null,
    turn_id: null,
    status: result.outcome,
    version: 1,
    command_id: "",
    inbox_item_id: newId("inbox", now),
    deadline_at: null,
    on_timeout: "terminate",
    irreversible: asked.options.irreversible ?? false,
    asked_by: { kind: "agent", name: AGENT, surface: "import" },
    created_at,
    decided_at,
    result,
    reply_key: null,
    assignee: null,
    requested_assignee: null,
    claim: null,
    delivered_at: null,
    questions: asked.questions.map((question) => {
      const answer = answers.get(question.question_id);
      const status = answer ? "answered" : question.parent ? "inactive" : "cancelled";
      return {
        ...question,
        status,
        answered: answer ? { answer, by: IMPORTED_BY, at: decided_at, idempotency_key: null } : null,
      };
    }),
  };
}

function tryNormalise(call: Record<string, unknown>) {
  try {
    return normaliseLoosely(call, () => randomUUID());
  } catch (error) {
    if (isParleyError(error)) return undefined;
    throw error;
  }
}

function messageOf(
  block: ChainBlock,
  line: ChainLine,
  isFirst: boolean,
  before: string | undefined,
  ask: Ask | undefined,
  now: number,
): NewMessage {
  const uuid = isFirst && typeof line.uuid === "string" && line.uuid.length <= 100 ? line.uuid : randomUUID();
  const stated = parentOf(line);
  const parent = isFirst && stated !== undefined && (stated ?? undefined) !== before ? (stated ?? NO_PARENT) : null;
  return {
    uuid,
    parent_uuid: parent,
    turn_id: null,
    type: ask ? "ask_user_question" : block.type,
    role: block.role,
    content: toJson(ask ? questionContent(ask) : block.content),
    metadata: toJson<Record<string, unknown>>(isFirst ? { line } : { part_of: line.uuid ?? null }),
    created_at: timeOf(line, now),
  };
}

/** Other programs may write anything here; anything that is not a usable message id is ignored. */
function parentOf({ parentUuid }: ChainLine): string | null | undefined {
  return parentUuid === null || (typeof parentUuid === "string" && parentUuid.length <= 100) ? parentUuid : undefined;
}

function timeOf(line: ChainLine, now: number): number {
  const at = typeof line.timestamp === "string" ? Date.parse(line.timestamp) : Number.NaN;
  return at >= EARLIEST && at <= LATEST ? at : now;
}
