-- AlterTable
ALTER TABLE "auth_session" ADD COLUMN "confirmed_at" BIGINT;
