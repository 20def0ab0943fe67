-- AlterTable
ALTER TABLE "one_time_token" ADD COLUMN "person_id" TEXT;

-- CreateTable
CREATE TABLE "key_person" (
    "key_id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "part" TEXT NOT NULL,

    PRIMARY KEY ("key_id", "person_id", "part")
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_api_key" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "hash" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hint" TEXT NOT NULL,
    "space_id" TEXT,
    "agent" TEXT,
    "owner_id" TEXT,
    "can_report" BOOLEAN NOT NULL,
    "created_at" BIGINT NOT NULL,
    "expires_at" BIGINT,
    "used_at" BIGINT,
    "revoked_at" BIGINT
);
INSERT INTO "new_api_key" ("agent", "can_report", "created_at", "expires_at", "hash", "hint", "id", "kind", "name", "owner_id", "revoked_at", "space_id", "used_at") SELECT "agent", "can_report", "created_at", "expires_at", "hash", "hint", "id", "kind", "name", "owner_id", "revoked_at", "space_id", "used_at" FROM "api_key";
DROP TABLE "api_key";
ALTER TABLE "new_api_key" RENAME TO "api_key";
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");
CREATE INDEX "api_key_owner_id_idx" ON "api_key"("owner_id");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

-- CreateIndex
CREATE INDEX "key_person_person_id_idx" ON "key_person"("person_id");

-- Links and codes from before do not say whom they let in, so they cannot end with that person: they end now.
UPDATE "one_time_token" SET "used_at" = "created_at" WHERE "used_at" IS NULL AND "kind" IN ('reset', 'device');
UPDATE "one_time_token" SET "used_at" = "created_at" WHERE "used_at" IS NULL AND "kind" = 'invite'
  AND "created_by" IN (SELECT "id" FROM "person" WHERE "status" <> 'active' OR "role" <> 'admin');
-- The keys of people who were disabled must not work again if they are enabled.
UPDATE "api_key" SET "revoked_at" = "created_at" WHERE "revoked_at" IS NULL
  AND "owner_id" IN (SELECT "id" FROM "person" WHERE "status" <> 'active');
