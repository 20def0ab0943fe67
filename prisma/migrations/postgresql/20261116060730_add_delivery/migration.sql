-- AlterTable
ALTER TABLE "ask" ADD COLUMN     "delivered_at" BIGINT;
