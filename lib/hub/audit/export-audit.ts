import { eventOf } from "../../db/audit-rows.ts";
import { type Place, sealedAfter } from "../../db/record/export.ts";
import { findHead } from "../../db/record/seals.ts";
import type { Reader } from "../../db/snapshot.ts";
import { invalidRequest } from "../../domain/read-input.ts";
import { requireRight, scopeOf } from "../../domain/rights.ts";
import type { Call } from "../../protocol/actor.ts";
import type { AuditPosition } from "../../protocol/audit.ts";
import type { Caller } from "../access.ts";
import type { HubContext } from "../context.ts";

const PAGE = 500;

/** The whole record as JSON Lines, oldest seal first, from a position on. Only sealed events: what is exported is final. */
export async function exportAudit(
  { db, access }: Pick<HubContext, "db" | "access">,
  call: Call,
  { after }: { after?: AuditPosition | undefined },
): Promise<{ file: string; type: string; content: AsyncGenerator<string> }> {
  requireRight(call.actor, "observe");
  const place = placeOf(after);
  await requireReached(db, place);
  return {
    file: "parley-audit.jsonl",
    type: "application/x-ndjson",
    content: heldLines(access, call, auditLines(db, place)),
  };
}

/** Stops when the caller may no longer read the record. */
async function* heldLines(access: HubContext["access"], call: Call, lines: AsyncGenerator<string>) {
  const held = access.hold<Caller>({ call, scope: scopeOf(call.actor) });
  try {
    for await (const text of lines) {
      await held.renew();
      requireRight(held.now().call.actor, "observe");
      yield text;
    }
  } finally {
    held.release();
  }
}

/** The lines after a place, page by page. Afterwards `place` is that of the last line. */
export async function* auditLines(db: Reader, place: Place): AsyncGenerator<string> {
  for (;;) {
    const rows = await sealedAfter(db, place, PAGE);
    let text = "";
    for (const row of rows) {
      Object.assign(place, { seal: row.position, number: row.number });
      const { conversation_id: session_id, position, sealed_at } = row;
      const sealed = new Date(sealed_at).toISOString();
      const line = { position: `${position}.${row.number}`, session_id, ...eventOf(row), sealed_at: sealed };
      text += `${JSON.stringify(line)}\n`;
    }
    if (text !== "") yield text;
    if (rows.length < PAGE) return;
    await new Promise(setImmediate);
  }
}

export function placeOf(position: AuditPosition | undefined): Place {
  const [seal = 0, number = 0] = (position ?? "0").split(".").map(Number);
  return { seal, number };
}

/** A position beyond the end is from another chain: resuming there would leave events out. */
export async function requireReached(db: Reader, { seal }: Place): Promise<void> {
  const end = (await findHead(db))?.position ?? 0;
  if (seal > end)
    throw invalidRequest([
      { path: "after", message: `is beyond the end of the record, at ${end}: export it from its beginning` },
    ]);
}
