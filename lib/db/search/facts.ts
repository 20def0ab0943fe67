import { columnsOf, type Fact, type FactColumns, layOut } from "../../domain/insights/fact-columns.ts";
import type { Scope } from "../../protocol/actor.ts";
import type { Database } from "../database.ts";
import { KEY_OF_ITEM } from "../hot/inbox.ts";
import { parseJson, toJson } from "../json.ts";
import { Query, select } from "../query.ts";
import { type Params, Statement } from "../statement.ts";
import { INSIGHT_CHUNK, type InsightChunkRow, type SearchEntryRow } from "../tables.ts";
import { readState } from "./to-index.ts";
import { Where } from "./where.ts";

// Settled asks for the insights: in chunks, and one by one where there is none yet.

/** Entries per chunk, by `seq`. */
export const CHUNK = 4_096;
/** Chunks per read: fewer ways to the database and back, and still little at a time. */
const CHUNKS = 8;

type Span = { first: number; last: number };

const LIST = select(INSIGHT_CHUNK, ["first_seq"])<object>("order by first_seq");
const CHUNKS_BETWEEN = new Query<
  Span & { from: number; to: number },
  Pick<InsightChunkRow, "first_seq" | "names" | "columns">
>(
  `select first_seq, names, case when from_at < @to and to_at >= @from then columns else '' end as columns
   from insight_chunk where first_seq between @first and @last`,
);
const COUNT = new Query<object, { n: number }>("select count(*) as n from insight_chunk");
const FACTS = new Query<
  Span,
  Pick<SearchEntryRow, "seq" | "closed_at" | "took_ms" | "agent" | "person" | "outcome" | "similar_key" | "space_id">
>(
  `select seq, closed_at, took_ms, agent, person, outcome, similar_key, space_id from search_entry
   where seq between @first and @last and closed_at is not null order by seq`,
);

/** Everything that was settled in a span of time, and more, in pieces. */
export async function* readFacts(db: Database, from: number, to: number): AsyncGenerator<FactColumns> {
  const { seq = 0 } = (await readState(db)) ?? {};
  for (let start = 0; start <= seq; start += CHUNKS * CHUNK) {
    const last = start + CHUNKS * CHUNK - 1;
    const written = new Set<number>();
    for (const chunk of await db.read(CHUNKS_BETWEEN, { first: start, last, from, to })) {
      written.add(chunk.first_seq);
      yield unpack(chunk);
    }
    for (let first = start; first <= Math.min(last, seq); first += CHUNK)
      if (!written.has(first)) yield columnsOf(await factsBetween(db, first)).columns;
  }
}

/** Writes one chunk that is missing; returns whether there may be more. */
export async function writeChunk(db: Database, seq: number): Promise<boolean> {
  const full = Math.floor((seq + 1) / CHUNK);
  if (((await db.read(COUNT, {}))[0]?.n ?? 0) >= full) return false;
  const known = new Set((await db.read(LIST, {})).map((chunk) => chunk.first_seq));
  let first = 0;
  while (known.has(first)) first += CHUNK;
  if (first + CHUNK > seq + 1) return false;
  const facts = await factsBetween(db, first);
  const { columns, bytes } = columnsOf(facts);
  const row: InsightChunkRow = {
    first_seq: first,
    from_at: facts.reduce((least, fact) => Math.min(least, fact.closed_at), Number.MAX_SAFE_INTEGER),
    to_at: facts.reduce((most, fact) => Math.max(most, fact.closed_at), 0),
    names: toJson({ agents: columns.agents, people: columns.people, spaces: columns.spaces }),
    columns: Buffer.from(bytes.buffer).toString("base64"),
  };
  const names = INSIGHT_CHUNK.columns;
  const marks = names.map((name) => `@${name}`).join(", ");
  const sql = `insert into insight_chunk (${names.join(", ")}) values (${marks}) on conflict do nothing`;
  await db.run(new Statement(sql, row));
  return true;
}

async function factsBetween(db: Database, first: number): Promise<Fact[]> {
  const rows = await db.read(FACTS, { first, last: first + CHUNK - 1 });
  return rows.flatMap(({ closed_at, took_ms, outcome, ...row }) =>
    closed_at === null || took_ms === null || outcome === null ? [] : [{ ...row, closed_at, took_ms, outcome }],
  );
}

function unpack({ names, columns }: Pick<InsightChunkRow, "names" | "columns">): FactColumns {
  // Copied, because a column must begin at a multiple of its width.
  return layOut(new Uint8Array(Buffer.from(columns, "base64")).buffer, parseJson(names));
}

const QUESTION = new Query<{ seq: number }, { similar_key: string; question: string; agent: string }>(
  `select i.similar_key, i.question, i.agent from search_entry e join inbox_item i on i.id = e.inbox_item_id where e.seq = @seq`,
);

/** The question of an entry, unless that has changed. */
export async function questionAt(db: Database, seq: number) {
  return (await db.read(QUESTION, { seq }))[0];
}

/** What is open now, by agent. Those asked before a time count as overdue. */
export async function openByAgent(db: Database, scope: Scope, now: number, before: number) {
  const where = new Where(["status = 'open'"]);
  where.within(scope, "space_id", KEY_OF_ITEM);
  const { sql, params } = where.conditions();
  const query = new Query<Params, { agent: string; open: number; overdue: number }>(
    `select agent, count(*) as open, sum(case when due_at <= @now or created_at < @before then 1 else 0 end) as overdue
     from inbox_item ${sql} group by agent`,
  );
  return db.readAside(query, { now, before, ...params });
}
