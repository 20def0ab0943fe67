import type { MessageView } from "../../protocol/message.ts";
import { NO_PARENT } from "../change.ts";
import type { Database } from "../database.ts";
import { parseJson } from "../json.ts";
import { Query, select } from "../query.ts";
import { MESSAGE, type MessageRow } from "../tables.ts";

const PAGE = select(
  MESSAGE,
  MESSAGE.columns,
)<{ conversation_id: string; after: number; limit: number }>(
  "where conversation_id = @conversation_id and sequence_num >= @after order by sequence_num limit @limit",
);

const SIZE = "octet_length(content) + coalesce(octet_length(metadata), 0)";

/** As many of the next messages as fit, and at least one. Both databases know the size of a text without loading it. */
const PAGE_WITHIN = new Query<{ conversation_id: string; after: number; limit: number; bytes: number }, MessageRow>(
  `with next as (
    select sequence_num, ${SIZE} as size from message
    where conversation_id = @conversation_id and sequence_num > @after order by sequence_num limit @limit),
  summed as (select sequence_num, sum(size) over (order by sequence_num) as bytes from next)
  select ${MESSAGE.columns.join(", ")} from message
  where conversation_id = @conversation_id and sequence_num >= @after and sequence_num <=
    (select coalesce(max(case when bytes <= @bytes then sequence_num end), min(sequence_num)) from summed)
  order by sequence_num`,
);

/**
 * Messages after a sequence number, in order: at most `limit` and, if `bytes` is given, of about that size. The parent of
 * each is the message before it, unless it names another.
 */
export async function listMessages(
  db: Database,
  conversation_id: string,
  after: number,
  limit: number,
  bytes?: number,
): Promise<MessageView[]> {
  // The page begins with the message before it, which is the parent of the first one.
  const rows =
    bytes === undefined
      ? await db.read(PAGE, { conversation_id, after, limit: limit + 1 })
      : await db.read(PAGE_WITHIN, { conversation_id, after, limit, bytes });
  const hasBefore = rows[0]?.sequence_num === after;
  return (hasBefore ? rows.slice(1) : rows.slice(0, limit)).map((row, index) => ({
    sequence_num: row.sequence_num,
    uuid: row.uuid,
    parentUuid:
      row.parent_uuid === NO_PARENT ? null : (row.parent_uuid ?? rows[hasBefore ? index : index - 1]?.uuid ?? null),
    turn_id: row.turn_id,
    type: row.type,
    role: row.role,
    // The type of the row decides what its content is, which the type of a column cannot say.
    content: JSON.parse(row.content),
    metadata: parseJson(row.metadata),
    timestamp: new Date(row.created_at).toISOString(),
  }));
}

const NEWEST_SIZES = new Query<{ conversation_id: string; limit: number }, { sequence_num: number; size: number }>(
  `select sequence_num, ${SIZE} as size from message
  where conversation_id = @conversation_id order by sequence_num desc limit @limit`,
);

/** The number after which the newest messages begin: at most `limit` of them, of about this size, and at least one. */
export async function placeBeforeNewest(
  db: Database,
  conversation_id: string,
  limit: number,
  bytes: number,
): Promise<number> {
  const rows = await db.read(NEWEST_SIZES, { conversation_id, limit });
  let total = 0;
  let first = (rows[0]?.sequence_num ?? 0) + 1;
  for (const { sequence_num, size } of rows) {
    total += size;
    if (total > bytes && sequence_num < (rows[0]?.sequence_num ?? 0)) break;
    first = sequence_num;
  }
  return first - 1;
}

/** Messages per statement. */
const COUNTED = 10_000;

const EXCHANGES = new Query<{ conversation_id: string; after: number; until: number }, { n: number }>(
  `select count(*) as n from message
  where conversation_id = @conversation_id and sequence_num > @after and sequence_num <= @until and type = 'text' and role = 'user'`,
);

/** How many exchanges began in the first messages, by the rule of lib/domain: a text of a person begins one. */
export async function countExchanges(db: Database, conversation_id: string, last: number): Promise<number> {
  let count = 0;
  for (let after = 0; after < last; after += COUNTED) {
    if (after > 0) await new Promise(setImmediate);
    const [page] = await db.read(EXCHANGES, { conversation_id, after, until: Math.min(last, after + COUNTED) });
    count += page?.n ?? 0;
  }
  return count;
}
