import type { Database } from "../database.ts";
import { select } from "../query.ts";
import { TURN, type TurnRow } from "../tables.ts";

const BY_ID = select(TURN, TURN.columns)<{ id: string }>("where id = @id");

/** Read for every answer to an ask of a built-in agent. */
export async function findTurn(db: Database, id: string): Promise<TurnRow | undefined> {
  return (await db.read(BY_ID, { id }))[0];
}
