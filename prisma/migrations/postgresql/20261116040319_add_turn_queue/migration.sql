-- AlterTable
ALTER TABLE "conversation" ADD COLUMN     "last_turn" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "queued_turns" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "turn" DROP COLUMN "resume_state",
ADD COLUMN     "owner" TEXT;
