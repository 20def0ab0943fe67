-- DropIndex
DROP INDEX "inbox_item_due_at_created_at_id_idx";

-- AlterTable
ALTER TABLE "ask" ADD COLUMN     "assignee_id" TEXT,
ADD COLUMN     "assignee_name" TEXT,
ADD COLUMN     "claim_expires_at" BIGINT,
ADD COLUMN     "claimed_at" BIGINT,
ADD COLUMN     "claimed_by" TEXT,
ADD COLUMN     "claimed_by_name" TEXT;

-- AlterTable
ALTER TABLE "conversation" ADD COLUMN     "api_key_id" TEXT,
ADD COLUMN     "space_id" TEXT NOT NULL DEFAULT 'spc_everyone';

-- AlterTable
ALTER TABLE "inbox_item" ADD COLUMN     "assignee_id" TEXT,
ADD COLUMN     "assignee_name" TEXT,
ADD COLUMN     "claim_expires_at" BIGINT,
ADD COLUMN     "claimed_at" BIGINT,
ADD COLUMN     "claimed_by" TEXT,
ADD COLUMN     "claimed_by_name" TEXT,
ADD COLUMN     "space_id" TEXT NOT NULL DEFAULT 'spc_everyone';

-- AlterTable
ALTER TABLE "search_entry" ADD COLUMN     "space_id" TEXT NOT NULL DEFAULT 'spc_everyone';

-- CreateTable
CREATE TABLE "person" (
    "id" TEXT NOT NULL,
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
    "updated_at" BIGINT NOT NULL,

    CONSTRAINT "person_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auth_identity" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "auth_identity_pkey" PRIMARY KEY ("issuer","subject")
);

-- CreateTable
CREATE TABLE "passkey" (
    "id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT,
    "name" TEXT NOT NULL,
    "created_at" BIGINT NOT NULL,
    "used_at" BIGINT,

    CONSTRAINT "passkey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auth_session" (
    "id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "created_at" BIGINT NOT NULL,
    "seen_at" BIGINT NOT NULL,
    "expires_at" BIGINT NOT NULL,

    CONSTRAINT "auth_session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" TEXT NOT NULL,
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
    "revoked_at" BIGINT,

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "one_time_token" (
    "id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "code" TEXT,
    "data" TEXT NOT NULL,
    "created_by" TEXT,
    "created_at" BIGINT NOT NULL,
    "expires_at" BIGINT NOT NULL,
    "used_at" BIGINT,

    CONSTRAINT "one_time_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "space" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "open" BOOLEAN NOT NULL,
    "requires_second_person" BOOLEAN NOT NULL,
    "created_at" BIGINT NOT NULL,
    "archived_at" BIGINT,

    CONSTRAINT "space_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "space_member" (
    "space_id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "space_member_pkey" PRIMARY KEY ("space_id","person_id")
);

-- CreateTable
CREATE TABLE "draft" (
    "person_id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "tool_use_id" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "updated_at" BIGINT NOT NULL,

    CONSTRAINT "draft_pkey" PRIMARY KEY ("person_id","conversation_id","tool_use_id")
);

-- CreateTable
CREATE TABLE "team_state" (
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,

    CONSTRAINT "team_state_pkey" PRIMARY KEY ("id")
);

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
CREATE UNIQUE INDEX "one_time_token_code_key" ON "one_time_token"("code") WHERE (code IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "space_name_key" ON "space"("name");

-- CreateIndex
CREATE INDEX "space_member_person_id_idx" ON "space_member"("person_id");

-- CreateIndex
CREATE INDEX "draft_updated_at_idx" ON "draft"("updated_at");

-- CreateIndex
CREATE INDEX "conversation_api_key_id_idx" ON "conversation"("api_key_id") WHERE (api_key_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "inbox_item_due_at_created_at_id_space_id_idx" ON "inbox_item"("due_at", "created_at", "id", "space_id") WHERE (status = 'open');

-- Everything that exists is in the space of everybody.
INSERT INTO "space" ("id", "name", "open", "requires_second_person", "created_at") VALUES ('spc_everyone', 'Everyone', true, false, 0);
INSERT INTO "team_state" ("id", "version") VALUES ('state', 0);

-- They have no spaces yet; they are written again in the background.
DELETE FROM "insight_chunk";
