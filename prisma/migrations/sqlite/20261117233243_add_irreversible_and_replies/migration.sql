-- AlterTable
ALTER TABLE "ask" ADD COLUMN "irreversible" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "ask" ADD COLUMN "reply_key" TEXT;

-- AlterTable
ALTER TABLE "inbox_item" ADD COLUMN "irreversible" BOOLEAN NOT NULL DEFAULT false;
