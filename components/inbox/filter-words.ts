"use client";

import { useTranslations } from "next-intl";
import { isNoName } from "../../lib/protocol/no-name.ts";
import { useSpaceName } from "../team/me.tsx";
import { DEADLINES, OUTCOMES, PERIODS } from "./inbox-view.ts";

export type FilterName = "space" | "agent" | "title" | "deadline" | "outcome" | "by" | "period";

/** The value of a filter, as people read it. */
export function useFilterWords(): (name: FilterName, value: string) => string {
  const t = useTranslations("inbox");
  const who = useTranslations("who");
  const spaceName = useSpaceName();
  return (name, value) => {
    if (name === "space") return spaceName(value);
    const deadline = name === "deadline" && DEADLINES.find((each) => each === value);
    if (deadline) return t(`deadlines.${deadline}`);
    const outcome = name === "outcome" && OUTCOMES.find((each) => each === value);
    if (outcome) return t(`settled.${outcome}`);
    const period = name === "period" && PERIODS.find((each) => each === value);
    if (period) return t(`periods.${period}`);
    return name === "by" && isNoName(value) ? who("local") : value;
  };
}
