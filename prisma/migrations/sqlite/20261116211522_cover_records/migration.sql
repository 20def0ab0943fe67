-- AlterTable
ALTER TABLE "audit_event" ADD COLUMN "ask_hash" TEXT;
ALTER TABLE "audit_event" ADD COLUMN "command_id" TEXT;
ALTER TABLE "audit_event" ADD COLUMN "content_hash" TEXT;
ALTER TABLE "audit_event" ADD COLUMN "first_sequence" INTEGER;
ALTER TABLE "audit_event" ADD COLUMN "messages" INTEGER;

-- AlterTable
ALTER TABLE "audit_seal" ADD COLUMN "mac" TEXT;
ALTER TABLE "audit_seal" ADD COLUMN "position" INTEGER;

-- CreateTable
CREATE TABLE "audit_head" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "position" INTEGER NOT NULL,
    "mac" TEXT NOT NULL,
    "key_fingerprint" TEXT NOT NULL,
    "began_at" BIGINT NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "audit_seal_position_key" ON "audit_seal"("position") WHERE position IS NOT NULL;
