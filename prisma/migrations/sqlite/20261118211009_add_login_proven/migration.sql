-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_person" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "login" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "login_proven" BOOLEAN NOT NULL DEFAULT false,
    "password_hash" TEXT,
    "locale" TEXT,
    "time_zone" TEXT,
    "quiet_hours" TEXT,
    "out_of_office_until" BIGINT,
    "delegate_id" TEXT,
    "active_at" BIGINT,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL
);
INSERT INTO "new_person" ("active_at", "created_at", "delegate_id", "id", "locale", "login", "name", "out_of_office_until", "password_hash", "quiet_hours", "role", "status", "time_zone", "updated_at") SELECT "active_at", "created_at", "delegate_id", "id", "locale", "login", "name", "out_of_office_until", "password_hash", "quiet_hours", "role", "status", "time_zone", "updated_at" FROM "person";
DROP TABLE "person";
ALTER TABLE "new_person" RENAME TO "person";
CREATE UNIQUE INDEX "person_login_key" ON "person"("login");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
