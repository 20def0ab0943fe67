-- AlterTable
ALTER TABLE "api_key" ALTER COLUMN "owner_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "one_time_token" ADD COLUMN     "person_id" TEXT;

-- CreateTable
CREATE TABLE "key_person" (
    "key_id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "part" TEXT NOT NULL,

    CONSTRAINT "key_person_pkey" PRIMARY KEY ("key_id","person_id","part")
);

-- CreateIndex
CREATE INDEX "key_person_person_id_idx" ON "key_person"("person_id");

-- Links and codes from before do not say whom they let in, so they cannot end with that person: they end now.
UPDATE "one_time_token" SET "used_at" = "created_at" WHERE "used_at" IS NULL AND "kind" IN ('reset', 'device');
UPDATE "one_time_token" SET "used_at" = "created_at" WHERE "used_at" IS NULL AND "kind" = 'invite'
  AND "created_by" IN (SELECT "id" FROM "person" WHERE "status" <> 'active' OR "role" <> 'admin');
-- The keys of people who were disabled must not work again if they are enabled.
UPDATE "api_key" SET "revoked_at" = "created_at" WHERE "revoked_at" IS NULL
  AND "owner_id" IN (SELECT "id" FROM "person" WHERE "status" <> 'active');
