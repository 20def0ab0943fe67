-- DropIndex
DROP INDEX "ask_conversation_id_idempotency_key_key";

-- DropIndex
DROP INDEX "ask_conversation_id_round_key";

-- DropIndex
DROP INDEX "inbox_item_status_closed_at_idx";

-- DropIndex
DROP INDEX "inbox_item_status_due_at_created_at_id_idx";

-- CreateIndex
CREATE UNIQUE INDEX "ask_conversation_id_idempotency_key_key" ON "ask"("conversation_id", "idempotency_key") WHERE (idempotency_key IS NOT NULL);

-- CreateIndex
CREATE INDEX "inbox_item_due_at_created_at_id_idx" ON "inbox_item"("due_at", "created_at", "id") WHERE (status = 'open');

-- CreateIndex
CREATE INDEX "inbox_item_conversation_id_idx" ON "inbox_item"("conversation_id") WHERE (status = 'open');

-- CreateIndex
CREATE INDEX "inbox_item_closed_at_id_idx" ON "inbox_item"("closed_at", "id") WHERE (status = 'closed');
