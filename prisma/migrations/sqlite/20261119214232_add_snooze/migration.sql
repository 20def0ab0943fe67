-- CreateTable
CREATE TABLE "snooze" (
    "person_id" TEXT NOT NULL,
    "inbox_item_id" TEXT NOT NULL,
    "until" BIGINT NOT NULL,

    PRIMARY KEY ("inbox_item_id", "person_id")
);

-- CreateIndex
CREATE INDEX "snooze_person_id_until_idx" ON "snooze"("person_id", "until");

-- CreateIndex
CREATE INDEX "snooze_until_idx" ON "snooze"("until");
