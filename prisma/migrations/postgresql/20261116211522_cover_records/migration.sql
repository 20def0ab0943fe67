-- AlterTable
ALTER TABLE "audit_event" ADD COLUMN     "ask_hash" TEXT,
ADD COLUMN     "command_id" TEXT,
ADD COLUMN     "content_hash" TEXT,
ADD COLUMN     "first_sequence" INTEGER,
ADD COLUMN     "messages" INTEGER;

-- AlterTable
ALTER TABLE "audit_seal" ADD COLUMN     "mac" TEXT,
ADD COLUMN     "position" INTEGER;

-- CreateTable
CREATE TABLE "audit_head" (
    "id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "mac" TEXT NOT NULL,
    "key_fingerprint" TEXT NOT NULL,
    "began_at" BIGINT NOT NULL,

    CONSTRAINT "audit_head_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "audit_seal_position_key" ON "audit_seal"("position") WHERE (position IS NOT NULL);
