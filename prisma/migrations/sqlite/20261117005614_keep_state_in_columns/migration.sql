-- AlterTable
ALTER TABLE "conversation" ADD COLUMN "announced_limit" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "turn" ADD COLUMN "parked_for" TEXT;

-- Until now both were read from the audit events. SQLite takes bare columns from the row that has the maximum.
UPDATE "conversation" SET "announced_limit" = json_extract("event"."after", '$.limit')
FROM (
    SELECT "conversation_id", "action", "after", max("number") FROM "audit_event"
    WHERE "action" IN ('depth.limit', 'depth.allowed') GROUP BY "conversation_id"
) AS "event"
WHERE "conversation"."id" = "event"."conversation_id" AND "event"."action" = 'depth.limit';

UPDATE "turn" SET "parked_for" = "event"."tool_use_id"
FROM (
    SELECT json_extract("after", '$.turn_id') AS "turn_id", "tool_use_id", max("number") FROM "audit_event"
    WHERE "action" = 'turn.parked' GROUP BY "conversation_id", json_extract("after", '$.turn_id')
) AS "event"
WHERE "turn"."id" = "event"."turn_id";
