-- CreateIndex
CREATE INDEX "conversation_created_at_idx" ON "conversation"("created_at") WHERE (run_state = 'hidden');
