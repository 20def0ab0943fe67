import type pg from "pg";
import { contentHash } from "./audit-rows.ts";
import type { Change, Placed } from "./change.ts";
import { runPipeline } from "./postgres-pipeline.ts";
import { NEW_ASK, STEP, statementOf } from "./postgres-statements.ts";

/** Prepares the statements of `commitEach` on a new connection. */
export async function prepareEach(client: pg.Client): Promise<void> {
  await client.query([NEW_ASK, STEP].map(({ name, sql }) => `prepare ${name} as ${sql}`).join(";"));
}

/**
 * Commits changes that take one statement each, in one transaction. Compared with one statement for the whole batch, it
 * saves the JSON on both sides.
 */
export async function commitEach(client: pg.Client, changes: Change[]): Promise<Placed[]> {
  // In the order in which commitTogether locks: two nodes that lock in different orders wait for each other.
  const order = changes.map((change, index) => ({ change, index })).sort((a, b) => byConversation(a.change, b.change));
  const hashes = changes.map(contentHash);
  const statements = order.flatMap(({ change, index }) => {
    const statement = statementOf(change);
    if (!statement) return [];
    const values = statement.valuesOf({ change, content_hash: hashes[index] ?? null });
    return [{ name: statement.name, values }];
  });
  const rows = await runPipeline(client, statements);
  const placed: Placed[] = changes.map(() => undefined);
  rows.forEach((row, nth) => {
    const index = order[nth]?.index;
    if (!row || index === undefined) return;
    const [sequence = 0, audit = 0, round = 0] = row.map(Number);
    placed[index] = { sequence, audit, round, content_hash: hashes[index] ?? null };
  });
  return placed;
}

function byConversation(a: Change, b: Change): number {
  return a.conversation_id < b.conversation_id ? -1 : a.conversation_id > b.conversation_id ? 1 : 0;
}
