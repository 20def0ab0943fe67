-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_conversation" (
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
    "last_turn" INTEGER NOT NULL DEFAULT 0,
    "queued_turns" INTEGER NOT NULL DEFAULT 0,
    "turn_asks" INTEGER NOT NULL DEFAULT 0,
    "ask_limit" INTEGER NOT NULL,
    "forked_from" TEXT,
    "forked_round" INTEGER,
    "closed_at" BIGINT,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL
);
INSERT INTO "new_conversation" ("agent", "ask_limit", "closed_at", "created_at", "current_round", "forked_from", "forked_round", "id", "interactive", "last_audit", "last_sequence", "metadata", "pending_asks", "run_state", "title", "total_rounds", "turn_asks", "turn_id", "updated_at") SELECT "agent", "ask_limit", "closed_at", "created_at", "current_round", "forked_from", "forked_round", "id", "interactive", "last_audit", "last_sequence", "metadata", "pending_asks", "run_state", "title", "total_rounds", "turn_asks", "turn_id", "updated_at" FROM "conversation";
DROP TABLE "conversation";
ALTER TABLE "new_conversation" RENAME TO "conversation";
CREATE INDEX "conversation_updated_at_id_idx" ON "conversation"("updated_at", "id");
CREATE INDEX "conversation_forked_from_idx" ON "conversation"("forked_from");
CREATE TABLE "new_turn" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "conversation_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "message_sequence" INTEGER,
    "owner" TEXT,
    "reason" TEXT,
    "created_at" BIGINT NOT NULL,
    "ended_at" BIGINT
);
INSERT INTO "new_turn" ("conversation_id", "created_at", "ended_at", "id", "message_sequence", "number", "reason", "status") SELECT "conversation_id", "created_at", "ended_at", "id", "message_sequence", "number", "reason", "status" FROM "turn";
DROP TABLE "turn";
ALTER TABLE "new_turn" RENAME TO "turn";
CREATE INDEX "turn_status_idx" ON "turn"("status");
CREATE UNIQUE INDEX "turn_conversation_id_number_key" ON "turn"("conversation_id", "number");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
