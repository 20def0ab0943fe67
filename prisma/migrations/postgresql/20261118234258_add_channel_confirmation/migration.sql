-- AlterTable
ALTER TABLE "channel" ADD COLUMN     "unconfirmed_since" BIGINT;
-- A Slack account that had not confirmed yet still must.
UPDATE "channel" SET "unconfirmed_since" = "created_at" WHERE "kind" = 'slack' AND "person_id" IS NOT NULL AND "verified_at" IS NULL;
