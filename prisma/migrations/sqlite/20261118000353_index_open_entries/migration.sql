-- CreateIndex
CREATE INDEX "search_entry_conversation_id_idx" ON "search_entry"("conversation_id") WHERE closed_at IS NULL;
