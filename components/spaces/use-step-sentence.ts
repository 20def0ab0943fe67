"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useCallback } from "react";
import type { PersonView } from "../../lib/protocol/people.ts";
import type { Step, StepTarget } from "../../lib/protocol/space.ts";
import { inUnits, isGroup, whenOf } from "./step-words.ts";

/** A step as a sentence: "After 15 min: members, Kenji." */
export function useStepSentence(people: readonly PersonView[]): (step: Step) => string {
  const t = useTranslations("spaces.steps");
  const format = useFormatter();
  return useCallback(
    (step) => {
      const name = (target: StepTarget) =>
        isGroup(target) ? t(`groups.${target}`) : (people.find(({ id }) => id === target)?.name ?? t("unknown"));
      const { count, unit } = inUnits(step.after_s ?? step.before_deadline_s ?? 0);
      const when = t(`sentence.${whenOf(step)}`, { time: t(`units.${unit}`, { count }) });
      const who = format.list(step.notify.map(name), { type: "unit" });
      const again = step.repeats ? ` ${t("sentence.repeats", { count: step.repeats })}` : "";
      return `${t("sentence.step", { when, who })}${again}`;
    },
    [t, format, people],
  );
}
