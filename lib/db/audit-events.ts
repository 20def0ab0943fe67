import type { AuditAction, AuditEvent } from "../protocol/audit.ts";
import { eventOf } from "./audit-rows.ts";
import type { Database } from "./database.ts";
import { rowOf } from "./prisma.ts";
import { AUDIT_EVENT } from "./tables.ts";

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
  return rows.map((row) => eventOf(rowOf(AUDIT_EVENT, row)));
}

/** Whether this was ever done to an ask. */
export async function hasHappened(
  db: Database,
  where: { conversation_id: string; tool_use_id: string; action: AuditAction },
): Promise<boolean> {
  return (await db.prisma(({ auditEvent }) => auditEvent.findFirst({ where, select: { number: true } }))) !== null;
}
