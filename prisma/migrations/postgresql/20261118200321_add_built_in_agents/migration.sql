-- AlterTable
ALTER TABLE "team_state" ADD COLUMN     "built_in_agents" BOOLEAN NOT NULL DEFAULT false;
