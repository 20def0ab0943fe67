-- CreateIndex
CREATE INDEX "search_entry_outcome_closed_at_inbox_item_id_idx" ON "search_entry"("outcome", "closed_at", "inbox_item_id") WHERE closed_at IS NOT NULL;
