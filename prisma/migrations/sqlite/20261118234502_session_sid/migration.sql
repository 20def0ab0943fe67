-- AlterTable
ALTER TABLE "auth_session" ADD COLUMN "sid" TEXT;

-- CreateIndex
CREATE INDEX "auth_session_sid_idx" ON "auth_session"("sid");
