-- CreateIndex
CREATE INDEX "inbox_item_similar_key_idx" ON "inbox_item"("similar_key") WHERE status = 'open';
