import { z } from "zod";
import { storedJson } from "./stored-json.ts";
import type { Row, Tables } from "./tables.ts";

const Content = z.object({ tool_use_id: z.string().optional() });
const After = z.object({ status: z.string().optional() });
const Result = z.object({
  outcome: z.string(),
  answers: z.array(z.unknown()),
  decided_by: z.object({ kind: z.string() }),
});
/** Say who has an open ask, and leave it open. */
export const HOLDER_EVENTS: readonly unknown[] = ["question.claimed", "question.released", "question.assigned"];
const Answer = z.object({ question_id: z.string() });

/**
 * What must hold of the rows at any moment, whatever was killed when: numbers without gaps or duplicates, no partial
 * rounds, inbox items open exactly while their ask is, one outcome per ask. Covers conversations that began here, not
 * imported or continued ones.
 */
export function violationsIn(tables: Tables): string[] {
  const found: string[] = [];
  const byConversation = {
    message: group(tables.message, "conversation_id"),
    audit: group(tables.audit_event, "conversation_id"),
    ask: group(tables.ask, "conversation_id"),
  };
  const conversations = new Set(tables.conversation.map((row) => row.id));
  for (const [name, rows] of Object.entries(tables)) {
    if (name === "conversation") continue;
    // People, keys and spaces belong to no conversation.
    const lost = rows.find((row) => row.conversation_id !== undefined && !conversations.has(row.conversation_id));
    if (lost) found.push(`${name} has a row of ${lost.conversation_id}, which is no conversation`);
  }
  for (const row of tables.conversation) {
    const id = String(row.id);
    const of = (rows: Map<string, Row[]>) => rows.get(id) ?? [];
    found.push(
      ...counts(of(byConversation.message), "sequence_num", row.last_sequence, `${id}: messages`),
      ...counts(of(byConversation.audit), "number", row.last_audit, `${id}: audit events`),
      ...counts(of(byConversation.ask), "round", row.current_round, `${id}: rounds`),
    );
    const pending = of(byConversation.ask).filter((ask) => ask.status === "pending").length;
    if (row.pending_asks !== pending)
      found.push(`${id}: says ${row.pending_asks} asks are pending, and ${pending} are`);
  }
  const uuids = new Set(tables.message.map((row) => row.uuid));
  if (uuids.size !== tables.message.length) found.push("two messages have the same uuid");
  found.push(...askViolations(tables));
  return found;
}

function askViolations(tables: Tables): string[] {
  const found: string[] = [];
  const of = (rows: Row[]) => group(rows, "conversation_id", "tool_use_id");
  const questions = of(tables.question);
  const items = of(tables.inbox_item);
  const events = of(tables.audit_event.filter((row) => row.tool_use_id !== null));
  const answers = group(tables.answer, "conversation_id", "question_id");
  const messages = of(
    tables.message.map((row) => ({
      ...row,
      tool_use_id: storedJson(Content, row.content).tool_use_id ?? "",
    })),
  );

  for (const ask of tables.ask) {
    const key = `${ask.conversation_id}\n${ask.tool_use_id}`;
    const wrong = (what: string) => found.push(`${ask.conversation_id} ${ask.tool_use_id}: ${what}`);
    const pending = ask.status === "pending";

    const asked = (messages.get(key) ?? []).filter((row) => row.type === "ask_user_question");
    if (asked.length !== 1 || asked[0]?.sequence_num !== ask.sequence_num)
      wrong(`has ${asked.length} messages that ask`);
    const own = (questions.get(key) ?? []).toSorted((a, b) => Number(a.position) - Number(b.position));
    if (own.length === 0) wrong("has no question");
    if (own.some((question, index) => question.position !== index)) wrong("has a gap among its questions");

    const [item, ...more] = items.get(key) ?? [];
    if (!item || more.length > 0 || item.id !== ask.inbox_item_id) wrong("has not exactly one inbox item");
    else {
      if ((item.status === "open") !== pending) wrong(`is ${ask.status} and ${item.status} in the inbox`);
      if ((item.settled === null) !== pending) wrong("is settled in the inbox and pending, or the other way round");
      if (item.round !== ask.round) wrong("has another round in the inbox");
      if (HOLDERS.some((column) => item[column] !== ask[column])) wrong("has other holders in the inbox");
      if (pending && item.due_at !== (ask.deadline_at ?? Number.MAX_SAFE_INTEGER)) wrong("is due at another time");
    }

    const actions = (events.get(key) ?? []).map((event) => ({ action: event.action, after: outcomeOf(event) }));
    const made = actions.filter(({ action }) => action === "ask.created").length;
    const reopened = actions.filter(({ action }) => action === "question.reopened").length;
    const settling = actions.filter(
      ({ action }) =>
        !["ask.created", "question.answered_elsewhere"].includes(String(action)) && !HOLDER_EVENTS.includes(action),
    );
    const settled = settling.filter(({ after }) => after !== "pending").length;
    if (made !== 1) wrong(`was created ${made} times`);
    if (settled !== reopened + (pending ? 0 : 1)) wrong(`is ${ask.status} after ${settled} outcomes`);
    if (ask.version !== actions.length - 1) wrong(`has version ${ask.version} after ${actions.length} audit events`);
    const results = (messages.get(key) ?? []).filter((row) => row.type === "tool_result").length;
    if (results !== settled) wrong(`has ${results} results and ${settled} outcomes`);

    if (!pending && ask.claimed_by !== null) wrong(`is ${ask.status} and still claimed`);
    if (pending !== (ask.result === null) || pending !== (ask.decided_at === null))
      wrong(`is ${ask.status} with result ${ask.result}`);
    for (const question of own) {
      const [answer] = answers.get(`${ask.conversation_id}\n${question.question_id}`) ?? [];
      if ((question.status === "answered") !== (answer !== undefined))
        wrong(`${question.question_id} is ${question.status} ${answer ? "with" : "without"} an answer`);
    }
    found.push(...resultViolations(ask, own, answers));
  }
  const all = new Set(tables.question.map((row) => `${row.conversation_id}\n${row.question_id}`));
  for (const key of answers.keys())
    if (!all.has(key)) found.push(`${key.replace("\n", " ")}: an answer to no question`);
  const asks = of(tables.ask);
  for (const key of [...questions.keys(), ...items.keys()])
    if (!asks.has(key)) found.push(`${key.replace("\n", " ")}: a question or an inbox item without its ask`);
  return found;
}

/** The result that the agent got must match the answer rows, and no timeout may be early. */
function resultViolations(ask: Row, questions: Row[], answers: Map<string, Row[]>): string[] {
  if (ask.result === null) return [];
  const name = `${ask.conversation_id} ${ask.tool_use_id}`;
  const result = storedJson(Result, ask.result);
  const found: string[] = [];
  if (result.outcome !== ask.status) found.push(`${name}: is ${ask.status} with the outcome ${result.outcome}`);
  if (ask.status === "timeout") {
    if (Number(ask.decided_at) < Number(ask.deadline_at)) found.push(`${name}: timed out before its deadline`);
    if (result.decided_by.kind === "person") found.push(`${name}: timed out by a person`);
    return found;
  }
  for (const answer of result.answers) {
    const [row] = answers.get(`${ask.conversation_id}\n${Answer.parse(answer).question_id}`) ?? [];
    if (row?.value !== JSON.stringify(answer)) found.push(`${name}: the result has another answer than the row`);
  }
  const stored = questions.filter((question) => answers.has(`${ask.conversation_id}\n${question.question_id}`));
  if (stored.length !== result.answers.length) found.push(`${name}: the result lacks an answer`);
  if (ask.status === "answered" && stored.length === 0) found.push(`${name}: is answered without an answer`);
  return found;
}

const HOLDERS = ["assignee_id", "assignee_name", "claimed_by", "claimed_by_name", "claimed_at", "claim_expires_at"];

function outcomeOf(event: Row): string | undefined {
  return storedJson(After, event.after ?? "{}").status;
}

function counts(rows: Row[], column: string, last: Row[string] | undefined, what: string): string[] {
  const numbers = rows.map((row) => Number(row[column])).sort((a, b) => a - b);
  const wrong = numbers.findIndex((number, index) => number !== index + 1);
  if (wrong >= 0) return [`${what} are numbered ${numbers.slice(0, wrong + 2).join(", ")}`];
  return numbers.length === last ? [] : [`${what}: ${numbers.length}, and the conversation counts ${last}`];
}

function group(rows: Row[], ...columns: string[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = columns.map((column) => row[column]).join("\n");
    const members = groups.get(key);
    if (members) members.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}
