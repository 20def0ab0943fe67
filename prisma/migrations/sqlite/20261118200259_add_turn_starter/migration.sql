-- AlterTable
ALTER TABLE "turn" ADD COLUMN "started_by" TEXT;
