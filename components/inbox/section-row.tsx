"use client";

import { useTranslations } from "next-intl";
import { Avatar } from "../ui/avatar.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { DUE, type Entry } from "./inbox-entries.ts";

/** The heading of a section of the list. */
export function SectionRow({ entry: { group, value, count } }: { entry: Extract<Entry, { kind: "section" }> }) {
  const t = useTranslations("inbox");
  const due = group === "deadline" ? DUE.find((each) => each === value) : undefined;
  return (
    <h2 className="flex h-8 items-center gap-1.5 border-b border-line bg-raised px-4 text-xs font-medium text-muted">
      {group === "agent" && <Avatar name={value} kind="agent" size="sm" />}
      <span className="min-w-0 truncate" dir="auto">
        {due ? t(`due.${due}`) : value === "" ? t("untitled") : <VisibleText>{value}</VisibleText>}
      </span>
      <span className="font-normal text-subtle tabular-nums">{count}</span>
    </h2>
  );
}
