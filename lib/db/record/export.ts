import { Query } from "../query.ts";
import type { Reader } from "../snapshot.ts";
import { AUDIT_EVENT, type AuditEventRow } from "../tables.ts";

/** Where an event is among all that are sealed: the position of its seal, and its number in its conversation. */
export type Place = { seal: number; number: number };
type SealedRow = AuditEventRow & { position: number; sealed_at: number };

/** A seal covers the events since the one before it. Older seals that are not in the chain leave no gap. */
const AFTER = new Query<Place & { limit: number }, SealedRow>(
  `select ${AUDIT_EVENT.columns.map((column) => `e.${column}`).join(", ")}, s.position, s.sealed_at
    from audit_seal s
    join audit_event e on e.conversation_id = s.conversation_id and e.number <= s.number and e.number > coalesce(
      (select max(p.number) from audit_seal p
        where p.conversation_id = s.conversation_id and p.number < s.number and p.position is not null), 0)
    where s.position >= @seal and (s.position > @seal or e.number > @number)
    order by s.position, e.number limit @limit`,
);

/** Events of all conversations after a place, in the order of their seals. */
export async function sealedAfter(db: Reader, place: Place, limit: number): Promise<SealedRow[]> {
  return db.read(AFTER, { ...place, limit });
}
