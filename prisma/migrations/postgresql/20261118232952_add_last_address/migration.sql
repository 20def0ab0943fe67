-- AlterTable
ALTER TABLE "auth_session" ADD COLUMN     "seen_from" TEXT;
