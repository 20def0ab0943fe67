-- AlterTable
ALTER TABLE "inbox_item" DROP COLUMN "search_text";

-- CreateTable
CREATE TABLE "search_entry" (
    "seq" INTEGER NOT NULL,
    "inbox_item_id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "closed_at" BIGINT,
    "created_at" BIGINT NOT NULL,
    "took_ms" BIGINT,
    "agent" TEXT NOT NULL,
    "title" TEXT,
    "outcome" TEXT,
    "person" TEXT,
    "similar_key" TEXT NOT NULL,

    CONSTRAINT "search_entry_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "search_text" (
    "seq" INTEGER NOT NULL,
    "settled" BOOLEAN NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "search_text_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "search_state" (
    "id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "began_at" BIGINT NOT NULL,
    "seq" INTEGER NOT NULL,

    CONSTRAINT "search_state_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "search_entry_inbox_item_id_key" ON "search_entry"("inbox_item_id");

-- CreateIndex
CREATE INDEX "search_entry_closed_at_inbox_item_id_idx" ON "search_entry"("closed_at", "inbox_item_id") WHERE (closed_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "search_entry_agent_closed_at_inbox_item_id_idx" ON "search_entry"("agent", "closed_at", "inbox_item_id") WHERE (closed_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "search_entry_title_closed_at_inbox_item_id_idx" ON "search_entry"("title", "closed_at", "inbox_item_id") WHERE (closed_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "search_entry_person_closed_at_inbox_item_id_idx" ON "search_entry"("person", "closed_at", "inbox_item_id") WHERE (closed_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "search_entry_took_ms_inbox_item_id_idx" ON "search_entry"("took_ms", "inbox_item_id") WHERE (closed_at IS NOT NULL);
