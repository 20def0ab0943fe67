-- CreateTable
CREATE TABLE "insight_chunk" (
    "first_seq" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "from_at" BIGINT NOT NULL,
    "to_at" BIGINT NOT NULL,
    "names" TEXT NOT NULL,
    "columns" TEXT NOT NULL
);
