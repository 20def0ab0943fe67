-- CreateTable
CREATE TABLE "conversation" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "title" TEXT,
    "agent" TEXT NOT NULL,
    "run_state" TEXT NOT NULL DEFAULT 'active',
    "interactive" BOOLEAN NOT NULL DEFAULT true,
    "metadata" TEXT,
    "last_sequence" INTEGER NOT NULL DEFAULT 0,
    "last_audit" INTEGER NOT NULL DEFAULT 0,
    "current_round" INTEGER NOT NULL DEFAULT 0,
    "total_rounds" INTEGER,
    "pending_asks" INTEGER NOT NULL DEFAULT 0,
    "turn_id" TEXT,
    "turn_asks" INTEGER NOT NULL DEFAULT 0,
    "ask_limit" INTEGER NOT NULL,
    "forked_from" TEXT,
    "forked_round" INTEGER,
    "closed_at" BIGINT,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL
);

-- CreateTable
CREATE TABLE "turn" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "conversation_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "message_sequence" INTEGER,
    "resume_state" TEXT,
    "reason" TEXT,
    "created_at" BIGINT NOT NULL,
    "ended_at" BIGINT
);

-- CreateTable
CREATE TABLE "message" (
    "conversation_id" TEXT NOT NULL,
    "sequence_num" INTEGER NOT NULL,
    "uuid" TEXT NOT NULL,
    "parent_uuid" TEXT,
    "turn_id" TEXT,
    "type" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "metadata" TEXT,
    "created_at" BIGINT NOT NULL,

    PRIMARY KEY ("conversation_id", "sequence_num")
);

-- CreateTable
CREATE TABLE "ask" (
    "conversation_id" TEXT NOT NULL,
    "tool_use_id" TEXT NOT NULL,
    "round" INTEGER NOT NULL,
    "total_rounds" INTEGER,
    "shape" TEXT NOT NULL,
    "content_hash" TEXT NOT NULL,
    "idempotency_key" TEXT,
    "turn_id" TEXT,
    "status" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "command_id" TEXT NOT NULL,
    "sequence_num" INTEGER NOT NULL,
    "inbox_item_id" TEXT NOT NULL,
    "deadline_at" BIGINT,
    "on_timeout" TEXT NOT NULL,
    "asked_by" TEXT NOT NULL,
    "created_at" BIGINT NOT NULL,
    "decided_at" BIGINT,
    "result" TEXT,

    PRIMARY KEY ("conversation_id", "tool_use_id")
);

-- CreateTable
CREATE TABLE "question" (
    "conversation_id" TEXT NOT NULL,
    "question_id" TEXT NOT NULL,
    "tool_use_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "parent_question_id" TEXT,
    "parent_option_id" TEXT,
    "definition" TEXT NOT NULL,

    PRIMARY KEY ("conversation_id", "question_id")
);

-- CreateTable
CREATE TABLE "answer" (
    "conversation_id" TEXT NOT NULL,
    "question_id" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "answered_by" TEXT NOT NULL,
    "answered_at" BIGINT NOT NULL,
    "idempotency_key" TEXT,

    PRIMARY KEY ("conversation_id", "question_id")
);

-- CreateTable
CREATE TABLE "inbox_item" (
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
    "search_text" TEXT NOT NULL,
    "similar_key" TEXT NOT NULL,
    "settled" TEXT
);

-- CreateTable
CREATE TABLE "audit_event" (
    "conversation_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "action" TEXT NOT NULL,
    "tool_use_id" TEXT,
    "question_id" TEXT,
    "actor" TEXT NOT NULL,
    "at" BIGINT NOT NULL,
    "before" TEXT,
    "after" TEXT,

    PRIMARY KEY ("conversation_id", "number")
);

-- CreateTable
CREATE TABLE "audit_seal" (
    "conversation_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "sealed_at" BIGINT NOT NULL,

    PRIMARY KEY ("conversation_id", "number")
);

-- CreateIndex
CREATE INDEX "conversation_updated_at_id_idx" ON "conversation"("updated_at", "id");

-- CreateIndex
CREATE INDEX "conversation_forked_from_idx" ON "conversation"("forked_from");

-- CreateIndex
CREATE INDEX "turn_status_idx" ON "turn"("status");

-- CreateIndex
CREATE UNIQUE INDEX "turn_conversation_id_number_key" ON "turn"("conversation_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "ask_conversation_id_round_key" ON "ask"("conversation_id", "round");

-- CreateIndex
CREATE UNIQUE INDEX "ask_conversation_id_idempotency_key_key" ON "ask"("conversation_id", "idempotency_key");

-- CreateIndex
CREATE UNIQUE INDEX "question_conversation_id_tool_use_id_position_key" ON "question"("conversation_id", "tool_use_id", "position");

-- CreateIndex
CREATE INDEX "inbox_item_status_due_at_created_at_id_idx" ON "inbox_item"("status", "due_at", "created_at", "id");

-- CreateIndex
CREATE INDEX "inbox_item_status_closed_at_idx" ON "inbox_item"("status", "closed_at");
