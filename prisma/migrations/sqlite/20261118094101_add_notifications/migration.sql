-- AlterTable
ALTER TABLE "person" ADD COLUMN "quiet_hours" TEXT;

-- CreateTable
CREATE TABLE "space_wish" (
    "space_id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "notify" TEXT NOT NULL,

    PRIMARY KEY ("space_id", "person_id")
);

-- CreateTable
CREATE TABLE "channel" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "person_id" TEXT,
    "space_id" TEXT,
    "kind" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "created_at" BIGINT NOT NULL,
    "verified_at" BIGINT,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" BIGINT,
    "last_error" TEXT,
    "disabled_at" BIGINT
);

-- CreateTable
CREATE TABLE "notification" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "inbox_item_id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "tool_use_id" TEXT NOT NULL,
    "step" INTEGER NOT NULL,
    "channel_id" TEXT NOT NULL,
    "channel_kind" TEXT NOT NULL,
    "person_id" TEXT,
    "event" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" BIGINT NOT NULL,
    "lease" TEXT,
    "lease_until" BIGINT,
    "digest_id" TEXT,
    "external_ref" TEXT,
    "sent_at" BIGINT,
    "error" TEXT,
    "replayed" BOOLEAN NOT NULL DEFAULT false,
    "created_at" BIGINT NOT NULL
);

-- CreateTable
CREATE TABLE "escalation" (
    "inbox_item_id" TEXT NOT NULL PRIMARY KEY,
    "began_at" BIGINT NOT NULL,
    "done_at" BIGINT NOT NULL,
    "step" INTEGER NOT NULL,
    "claimed_at" BIGINT,
    "assignee_id" TEXT,
    "deferred" TEXT NOT NULL,
    "note" TEXT,
    "reachable_at" BIGINT
);

-- CreateTable
CREATE TABLE "seen_item" (
    "inbox_item_id" TEXT NOT NULL PRIMARY KEY,
    "seen_at" BIGINT NOT NULL,
    "seen_by" TEXT NOT NULL
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_inbox_item" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "conversation_id" TEXT NOT NULL,
    "tool_use_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "due_at" BIGINT NOT NULL,
    "created_at" BIGINT NOT NULL,
    "closed_at" BIGINT,
    "agent" TEXT NOT NULL,
    "round" INTEGER NOT NULL,
    "question" TEXT NOT NULL,
    "similar_key" TEXT NOT NULL,
    "irreversible" BOOLEAN NOT NULL DEFAULT false,
    "settled" TEXT,
    "space_id" TEXT NOT NULL DEFAULT 'spc_everyone',
    "assignee_id" TEXT,
    "assignee_name" TEXT,
    "claimed_by" TEXT,
    "claimed_by_name" TEXT,
    "claimed_at" BIGINT,
    "claim_expires_at" BIGINT,
    "notify_at" BIGINT,
    "notify_step" INTEGER NOT NULL DEFAULT 0
);
INSERT INTO "new_inbox_item" ("agent", "assignee_id", "assignee_name", "claim_expires_at", "claimed_at", "claimed_by", "claimed_by_name", "closed_at", "conversation_id", "created_at", "due_at", "id", "irreversible", "question", "round", "settled", "similar_key", "space_id", "status", "tool_use_id") SELECT "agent", "assignee_id", "assignee_name", "claim_expires_at", "claimed_at", "claimed_by", "claimed_by_name", "closed_at", "conversation_id", "created_at", "due_at", "id", "irreversible", "question", "round", "settled", "similar_key", "space_id", "status", "tool_use_id" FROM "inbox_item";
DROP TABLE "inbox_item";
ALTER TABLE "new_inbox_item" RENAME TO "inbox_item";
CREATE INDEX "inbox_item_due_at_created_at_id_space_id_idx" ON "inbox_item"("due_at", "created_at", "id", "space_id") WHERE status = 'open';
CREATE INDEX "inbox_item_conversation_id_idx" ON "inbox_item"("conversation_id") WHERE status = 'open';
CREATE INDEX "inbox_item_closed_at_id_idx" ON "inbox_item"("closed_at", "id") WHERE status = 'closed';
CREATE INDEX "inbox_item_notify_at_idx" ON "inbox_item"("notify_at") WHERE notify_at IS NOT NULL;
CREATE TABLE "new_space" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "open" BOOLEAN NOT NULL,
    "requires_second_person" BOOLEAN NOT NULL,
    "steps" TEXT,
    "detail" TEXT NOT NULL DEFAULT 'full',
    "created_at" BIGINT NOT NULL,
    "archived_at" BIGINT
);
INSERT INTO "new_space" ("archived_at", "created_at", "id", "name", "open", "requires_second_person") SELECT "archived_at", "created_at", "id", "name", "open", "requires_second_person" FROM "space";
DROP TABLE "space";
ALTER TABLE "new_space" RENAME TO "space";
CREATE UNIQUE INDEX "space_name_key" ON "space"("name");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

-- CreateIndex
CREATE INDEX "channel_person_id_idx" ON "channel"("person_id");

-- CreateIndex
CREATE INDEX "channel_space_id_idx" ON "channel"("space_id");

-- CreateIndex
CREATE UNIQUE INDEX "channel_kind_fingerprint_key" ON "channel"("kind", "fingerprint");

-- CreateIndex
CREATE INDEX "notification_next_at_idx" ON "notification"("next_at") WHERE state = 'due';

-- CreateIndex
CREATE INDEX "notification_lease_until_idx" ON "notification"("lease_until") WHERE state = 'sending';

-- CreateIndex
CREATE INDEX "notification_channel_id_sent_at_idx" ON "notification"("channel_id", "sent_at");

-- CreateIndex
CREATE UNIQUE INDEX "notification_inbox_item_id_step_channel_id_key" ON "notification"("inbox_item_id", "step", "channel_id");
