-- AlterTable
ALTER TABLE "auth_session" ADD COLUMN "proof" TEXT;

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_team_state" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "version" INTEGER NOT NULL,
    "built_in_agents" BOOLEAN NOT NULL DEFAULT false,
    "strong_sign_in" TEXT NOT NULL DEFAULT 'off'
);
INSERT INTO "new_team_state" ("built_in_agents", "id", "version") SELECT "built_in_agents", "id", "version" FROM "team_state";
DROP TABLE "team_state";
ALTER TABLE "new_team_state" RENAME TO "team_state";
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
