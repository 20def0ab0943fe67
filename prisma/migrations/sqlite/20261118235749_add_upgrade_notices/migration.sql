-- AlterTable
ALTER TABLE "team_state" ADD COLUMN "upgrades_told" INTEGER;
