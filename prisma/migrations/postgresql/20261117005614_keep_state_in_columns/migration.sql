-- AlterTable
ALTER TABLE "conversation" ADD COLUMN     "announced_limit" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "turn" ADD COLUMN     "parked_for" TEXT;

-- Until now both were read from the audit events.
UPDATE "conversation" SET "announced_limit" = ("event"."after"::json ->> 'limit')::integer
FROM (
    SELECT DISTINCT ON ("conversation_id") "conversation_id", "action", "after" FROM "audit_event"
    WHERE "action" IN ('depth.limit', 'depth.allowed') ORDER BY "conversation_id", "number" DESC
) AS "event"
WHERE "conversation"."id" = "event"."conversation_id" AND "event"."action" = 'depth.limit';

UPDATE "turn" SET "parked_for" = "event"."tool_use_id"
FROM (
    SELECT DISTINCT ON ("conversation_id", "after") "after"::json ->> 'turn_id' AS "turn_id", "tool_use_id"
    FROM "audit_event" WHERE "action" = 'turn.parked' ORDER BY "conversation_id", "after", "number" DESC
) AS "event"
WHERE "turn"."id" = "event"."turn_id";
