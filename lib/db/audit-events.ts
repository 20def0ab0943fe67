import type { AuditAction, AuditEvent } from "../protocol/audit.ts";
import { TEAM_RECORD } from "../protocol/space.ts";
import type { Database } from "./database.ts";
import { type Json, parseJson } from "./json.ts";
import { rowOf } from "./prisma.ts";
import { AUDIT_EVENT, type AuditEventRow } from "./tables.ts";

/** A page of a conversation's audit events, oldest first. */
export async function listAudit(
  db: Database,
  where: { conversation_id: string; tool_use_id?: string },
  after: number,
  limit: number,
): Promise<AuditEvent[]> {
  const rows = await db.prisma(({ auditEvent }) =>
    auditEvent.findMany({
      where: { ...where, number: { gt: after } },
      orderBy: { number: "asc" },
      take: limit,
    }),
  );
  return rows.map((read) => {
    const row = rowOf(AUDIT_EVENT, read);
    return {
      number: row.number,
      action: row.action,
      tool_use_id: row.tool_use_id,
      question_id: row.question_id,
      actor: parseJson(row.actor),
      at: new Date(row.at).toISOString(),
      before: parseJson(row.before),
      after: withoutRows(row),
    };
  });
}

/** What an event of the team did to its rows is for verification; what it means is next to it. */
function withoutRows({ conversation_id, after }: Pick<AuditEventRow, "conversation_id" | "after">): unknown {
  if (conversation_id !== TEAM_RECORD || after === null) return parseJson(after);
  const { rows: _, ...rest } = parseJson(after as Json<Record<string, unknown>>);
  return rest;
}

/** Whether this was ever done to an ask. */
export async function hasHappened(
  db: Database,
  where: { conversation_id: string; tool_use_id: string; action: AuditAction },
): Promise<boolean> {
  return (await db.prisma(({ auditEvent }) => auditEvent.findFirst({ where, select: { number: true } }))) !== null;
}
