-- AlterTable
ALTER TABLE "auth_session" ADD COLUMN     "proof" TEXT;

-- AlterTable
ALTER TABLE "team_state" ADD COLUMN     "strong_sign_in" TEXT NOT NULL DEFAULT 'off';
