-- AlterTable
ALTER TABLE "person" ADD COLUMN     "login_proven" BOOLEAN NOT NULL DEFAULT false;
