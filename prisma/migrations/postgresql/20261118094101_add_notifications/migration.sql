-- AlterTable
ALTER TABLE "inbox_item" ADD COLUMN     "notify_at" BIGINT,
ADD COLUMN     "notify_step" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "person" ADD COLUMN     "quiet_hours" TEXT;

-- AlterTable
ALTER TABLE "space" ADD COLUMN     "detail" TEXT NOT NULL DEFAULT 'full',
ADD COLUMN     "steps" TEXT;

-- CreateTable
CREATE TABLE "space_wish" (
    "space_id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "notify" TEXT NOT NULL,

    CONSTRAINT "space_wish_pkey" PRIMARY KEY ("space_id","person_id")
);

-- CreateTable
CREATE TABLE "channel" (
    "id" TEXT NOT NULL,
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
    "disabled_at" BIGINT,

    CONSTRAINT "channel_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notification" (
    "id" TEXT NOT NULL,
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
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "notification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "escalation" (
    "inbox_item_id" TEXT NOT NULL,
    "began_at" BIGINT NOT NULL,
    "done_at" BIGINT NOT NULL,
    "step" INTEGER NOT NULL,
    "claimed_at" BIGINT,
    "assignee_id" TEXT,
    "deferred" TEXT NOT NULL,
    "note" TEXT,
    "reachable_at" BIGINT,

    CONSTRAINT "escalation_pkey" PRIMARY KEY ("inbox_item_id")
);

-- CreateTable
CREATE TABLE "seen_item" (
    "inbox_item_id" TEXT NOT NULL,
    "seen_at" BIGINT NOT NULL,
    "seen_by" TEXT NOT NULL,

    CONSTRAINT "seen_item_pkey" PRIMARY KEY ("inbox_item_id")
);

-- CreateIndex
CREATE INDEX "channel_person_id_idx" ON "channel"("person_id");

-- CreateIndex
CREATE INDEX "channel_space_id_idx" ON "channel"("space_id");

-- CreateIndex
CREATE UNIQUE INDEX "channel_kind_fingerprint_key" ON "channel"("kind", "fingerprint");

-- CreateIndex
CREATE INDEX "notification_next_at_idx" ON "notification"("next_at") WHERE (state = 'due');

-- CreateIndex
CREATE INDEX "notification_lease_until_idx" ON "notification"("lease_until") WHERE (state = 'sending');

-- CreateIndex
CREATE INDEX "notification_channel_id_sent_at_idx" ON "notification"("channel_id", "sent_at");

-- CreateIndex
CREATE UNIQUE INDEX "notification_inbox_item_id_step_channel_id_key" ON "notification"("inbox_item_id", "step", "channel_id");

-- CreateIndex
CREATE INDEX "inbox_item_notify_at_idx" ON "inbox_item"("notify_at") WHERE (notify_at IS NOT NULL);
