-- AlterTable
ALTER TABLE "ask" ADD COLUMN "assignee_id" TEXT;
ALTER TABLE "ask" ADD COLUMN "assignee_name" TEXT;
ALTER TABLE "ask" ADD COLUMN "claim_expires_at" BIGINT;
ALTER TABLE "ask" ADD COLUMN "claimed_at" BIGINT;
ALTER TABLE "ask" ADD COLUMN "claimed_by" TEXT;
ALTER TABLE "ask" ADD COLUMN "claimed_by_name" TEXT;

-- CreateTable
CREATE TABLE "person" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "login" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "password_hash" TEXT,
    "locale" TEXT,
    "time_zone" TEXT,
    "out_of_office_until" BIGINT,
    "delegate_id" TEXT,
    "active_at" BIGINT,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL
);

-- CreateTable
CREATE TABLE "auth_identity" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "created_at" BIGINT NOT NULL,

    PRIMARY KEY ("issuer", "subject")
);

-- CreateTable
CREATE TABLE "passkey" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "person_id" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT,
    "name" TEXT NOT NULL,
    "created_at" BIGINT NOT NULL,
    "used_at" BIGINT
);

-- CreateTable
CREATE TABLE "auth_session" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "hash" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "created_at" BIGINT NOT NULL,
    "seen_at" BIGINT NOT NULL,
    "expires_at" BIGINT NOT NULL
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "hash" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hint" TEXT NOT NULL,
    "space_id" TEXT,
    "agent" TEXT,
    "owner_id" TEXT NOT NULL,
    "can_report" BOOLEAN NOT NULL,
    "created_at" BIGINT NOT NULL,
    "expires_at" BIGINT,
    "used_at" BIGINT,
    "revoked_at" BIGINT
);

-- CreateTable
CREATE TABLE "one_time_token" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "hash" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "code" TEXT,
    "data" TEXT NOT NULL,
    "created_by" TEXT,
    "created_at" BIGINT NOT NULL,
    "expires_at" BIGINT NOT NULL,
    "used_at" BIGINT
);

-- CreateTable
CREATE TABLE "space" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "open" BOOLEAN NOT NULL,
    "requires_second_person" BOOLEAN NOT NULL,
    "created_at" BIGINT NOT NULL,
    "archived_at" BIGINT
);

-- CreateTable
CREATE TABLE "space_member" (
    "space_id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "created_at" BIGINT NOT NULL,

    PRIMARY KEY ("space_id", "person_id")
);

-- CreateTable
CREATE TABLE "draft" (
    "person_id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "tool_use_id" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "updated_at" BIGINT NOT NULL,

    PRIMARY KEY ("person_id", "conversation_id", "tool_use_id")
);

-- CreateTable
CREATE TABLE "team_state" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "version" INTEGER NOT NULL
);

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
    "announced_limit" INTEGER NOT NULL DEFAULT 0,
    "forked_from" TEXT,
    "forked_round" INTEGER,
    "space_id" TEXT NOT NULL DEFAULT 'spc_everyone',
    "api_key_id" TEXT,
    "closed_at" BIGINT,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL
);
INSERT INTO "new_conversation" ("agent", "announced_limit", "ask_limit", "closed_at", "created_at", "current_round", "forked_from", "forked_round", "id", "interactive", "last_audit", "last_sequence", "last_turn", "metadata", "pending_asks", "queued_turns", "run_state", "title", "total_rounds", "turn_asks", "turn_id", "updated_at") SELECT "agent", "announced_limit", "ask_limit", "closed_at", "created_at", "current_round", "forked_from", "forked_round", "id", "interactive", "last_audit", "last_sequence", "last_turn", "metadata", "pending_asks", "queued_turns", "run_state", "title", "total_rounds", "turn_asks", "turn_id", "updated_at" FROM "conversation";
DROP TABLE "conversation";
ALTER TABLE "new_conversation" RENAME TO "conversation";
CREATE INDEX "conversation_updated_at_id_idx" ON "conversation"("updated_at", "id");
CREATE INDEX "conversation_forked_from_idx" ON "conversation"("forked_from");
CREATE INDEX "conversation_api_key_id_idx" ON "conversation"("api_key_id") WHERE api_key_id IS NOT NULL;
CREATE INDEX "conversation_created_at_idx" ON "conversation"("created_at") WHERE run_state = 'hidden';
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
    "claim_expires_at" BIGINT
);
INSERT INTO "new_inbox_item" ("agent", "closed_at", "conversation_id", "created_at", "due_at", "id", "irreversible", "question", "round", "settled", "similar_key", "status", "tool_use_id") SELECT "agent", "closed_at", "conversation_id", "created_at", "due_at", "id", "irreversible", "question", "round", "settled", "similar_key", "status", "tool_use_id" FROM "inbox_item";
DROP TABLE "inbox_item";
ALTER TABLE "new_inbox_item" RENAME TO "inbox_item";
CREATE INDEX "inbox_item_due_at_created_at_id_space_id_idx" ON "inbox_item"("due_at", "created_at", "id", "space_id") WHERE status = 'open';
CREATE INDEX "inbox_item_conversation_id_idx" ON "inbox_item"("conversation_id") WHERE status = 'open';
CREATE INDEX "inbox_item_closed_at_id_idx" ON "inbox_item"("closed_at", "id") WHERE status = 'closed';
CREATE TABLE "new_search_entry" (
    "seq" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
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
    "space_id" TEXT NOT NULL DEFAULT 'spc_everyone'
);
INSERT INTO "new_search_entry" ("agent", "closed_at", "conversation_id", "created_at", "inbox_item_id", "outcome", "person", "seq", "similar_key", "title", "took_ms") SELECT "agent", "closed_at", "conversation_id", "created_at", "inbox_item_id", "outcome", "person", "seq", "similar_key", "title", "took_ms" FROM "search_entry";
DROP TABLE "search_entry";
ALTER TABLE "new_search_entry" RENAME TO "search_entry";
CREATE UNIQUE INDEX "search_entry_inbox_item_id_key" ON "search_entry"("inbox_item_id");
CREATE INDEX "search_entry_closed_at_inbox_item_id_idx" ON "search_entry"("closed_at", "inbox_item_id") WHERE closed_at IS NOT NULL;
CREATE INDEX "search_entry_agent_closed_at_inbox_item_id_idx" ON "search_entry"("agent", "closed_at", "inbox_item_id") WHERE closed_at IS NOT NULL;
CREATE INDEX "search_entry_title_closed_at_inbox_item_id_idx" ON "search_entry"("title", "closed_at", "inbox_item_id") WHERE closed_at IS NOT NULL;
CREATE INDEX "search_entry_person_closed_at_inbox_item_id_idx" ON "search_entry"("person", "closed_at", "inbox_item_id") WHERE closed_at IS NOT NULL;
CREATE INDEX "search_entry_outcome_closed_at_inbox_item_id_idx" ON "search_entry"("outcome", "closed_at", "inbox_item_id") WHERE closed_at IS NOT NULL;
CREATE INDEX "search_entry_conversation_id_idx" ON "search_entry"("conversation_id") WHERE closed_at IS NULL;
CREATE INDEX "search_entry_took_ms_inbox_item_id_idx" ON "search_entry"("took_ms", "inbox_item_id") WHERE closed_at IS NOT NULL;
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

-- CreateIndex
CREATE UNIQUE INDEX "person_login_key" ON "person"("login");

-- CreateIndex
CREATE INDEX "auth_identity_person_id_idx" ON "auth_identity"("person_id");

-- CreateIndex
CREATE INDEX "passkey_person_id_idx" ON "passkey"("person_id");

-- CreateIndex
CREATE UNIQUE INDEX "auth_session_hash_key" ON "auth_session"("hash");

-- CreateIndex
CREATE INDEX "auth_session_person_id_idx" ON "auth_session"("person_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE INDEX "api_key_owner_id_idx" ON "api_key"("owner_id");

-- CreateIndex
CREATE UNIQUE INDEX "one_time_token_hash_key" ON "one_time_token"("hash");

-- CreateIndex
CREATE INDEX "one_time_token_kind_created_at_idx" ON "one_time_token"("kind", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "one_time_token_code_key" ON "one_time_token"("code") WHERE code IS NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "space_name_key" ON "space"("name");

-- CreateIndex
CREATE INDEX "space_member_person_id_idx" ON "space_member"("person_id");

-- CreateIndex
CREATE INDEX "draft_updated_at_idx" ON "draft"("updated_at");

-- Everything that exists is in the space of everybody.
INSERT INTO "space" ("id", "name", "open", "requires_second_person", "created_at") VALUES ('spc_everyone', 'Everyone', true, false, 0);
INSERT INTO "team_state" ("id", "version") VALUES ('state', 0);

-- They have no spaces yet; they are written again in the background.
DELETE FROM "insight_chunk";
