import { z } from "zod";
import { HOLDER_EVENTS, violationsIn } from "./invariants.ts";
import { storedJson } from "./stored-json.ts";
import { type Row, readTables, type Tables } from "./tables.ts";

/** Lists every rule that the rows violate once nothing writes any more. */
export async function rowViolations(databaseUrl: string): Promise<string[]> {
  const tables = await readTables(databaseUrl);
  return [...violationsIn(tables), ...outcomeViolations(tables)];
}

const Definition = z.object({
  required: z.boolean(),
  parent: z.object({ question_id: z.string(), option_id: z.string() }).optional(),
});
const Value = z.object({ option_ids: z.array(z.string()) });
const Decided = z.object({ decided_by: z.object({ kind: z.string() }) });
const After = z.object({ status: z.string() });

type Question = z.infer<typeof Definition> & { id: string; status: string };

/**
 * No ask is "answered" with an answer missing or without a person, no unreached question has an answer, and the events
 * of an ask follow its lifecycle. Judged from the rows alone, without the product's rules.
 */
export function outcomeViolations(tables: Tables): string[] {
  const asks = new Map<string, { ask: Row; questions: Question[]; events: Row[] }>();
  const key = (row: Row) => `${row.conversation_id} ${row.tool_use_id}`;
  for (const ask of tables.ask) asks.set(key(ask), { ask, questions: [], events: [] });
  for (const row of tables.question) {
    const { required, parent } = storedJson(Definition, row.definition);
    const question = { id: String(row.question_id), status: String(row.status), required, ...(parent && { parent }) };
    asks.get(key(row))?.questions.push(question);
  }
  for (const row of tables.audit_event) asks.get(key(row))?.events.push(row);
  const chosen = new Map(
    tables.answer.map((row) => [`${row.conversation_id} ${row.question_id}`, storedJson(Value, row.value).option_ids]),
  );

  const closed = new Set(tables.conversation.filter((row) => row.closed_at !== null).map((row) => row.id));
  return [...asks].flatMap(([name, { ask, questions, events }]) => {
    if (ask.status === "pending" && closed.has(ask.conversation_id ?? ""))
      return [`${name}: is open in a closed conversation`];
    const optionsOf = (id: string) => chosen.get(`${ask.conversation_id} ${id}`);
    const problems = [...wrongQuestions(ask, questions, optionsOf), ...wrongDecider(ask), ...wrongOrder(ask, events)];
    return problems.map((problem) => `${name}: ${problem}`);
  });
}

function wrongQuestions(ask: Row, questions: Question[], optionsOf: (id: string) => string[] | undefined): string[] {
  return questions.flatMap(({ id, status, required, parent }) => {
    const isReached = !parent || (optionsOf(parent.question_id)?.includes(parent.option_id) ?? false);
    const isAnswered = optionsOf(id) !== undefined;
    if (isAnswered && !isReached) return [`${id} has an answer, and was not reached`];
    if (isReached === (status === "inactive")) return [`${id} is ${status}`];
    if (ask.status === "answered" && required && isReached && !isAnswered) return [`is answered without ${id}`];
    return [];
  });
}

function wrongDecider({ status, result }: Row): string[] {
  if (result === null) return [];
  const { kind } = storedJson(Decided, result).decided_by;
  const kinds: Record<string, string[]> = { answered: ["person"], replied: ["person"], timeout: ["system", "default"] };
  return (kinds[String(status)] ?? ["person", "agent"]).includes(kind) ? [] : [`is ${status}, decided by ${kind}`];
}

/** The order must be: created, then settled and reopened in turn. */
function wrongOrder(ask: Row, events: Row[]): string[] {
  const found: string[] = [];
  let status = "none";
  for (const event of events.toSorted((a, b) => Number(a.number) - Number(b.number))) {
    // This event comments on an ask that is already settled.
    if (event.action === "question.answered_elsewhere" && status !== "pending") continue;
    const before = { "ask.created": "none", "question.reopened": "timeout" }[String(event.action)] ?? "pending";
    if (status !== before) found.push(`has the event ${event.action} while it was ${status}`);
    if (HOLDER_EVENTS.includes(event.action)) continue;
    status = storedJson(After, event.after).status;
  }
  return status === ask.status ? found : [...found, `is ${ask.status}, and ${status} by its events`];
}
