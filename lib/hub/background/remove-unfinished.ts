import { hiddenBefore, removeHidden } from "../../db/hidden.ts";
import type { HubContext } from "../context.ts";

const AN_HOUR_MS = 3_600_000;
export const REMOVE_EVERY_MS = AN_HOUR_MS;

/** Removes conversations that a process began to write and died before it finished: no import takes an hour. */
export async function removeUnfinished(ctx: Pick<HubContext, "db">, now: number): Promise<void> {
  for (const id of await hiddenBefore(ctx.db, now - AN_HOUR_MS)) await removeHidden(ctx.db, id, now);
}
