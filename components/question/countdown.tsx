"use client";

import { AlarmClock } from "lucide-react";
import { useTranslations } from "next-intl";
import type { AskView } from "../../lib/protocol/ask.ts";
import { Moment, useClock, useDuration } from "../ui/clock.tsx";
import { defaultsOf } from "./defaults.ts";

/** How much time is left, and what happens then. */
export function Countdown({ ask }: { ask: AskView }) {
  const t = useTranslations("card");
  const clock = useClock();
  const duration = useDuration();
  if (!ask.deadline_at) return null;
  const left = Date.parse(ask.deadline_at) - clock;
  const whole = Date.parse(ask.deadline_at) - Date.parse(ask.created_at);
  const colour = left < 60_000 ? "text-danger" : left < whole / 5 ? "text-warning" : "text-muted";
  return (
    <span role="timer" aria-live="off" className={`inline-flex items-center gap-1 tabular-nums ${colour}`}>
      <AlarmClock size={14} aria-hidden />
      {left > 0 ? t("left", { time: duration(left) }) : t("due")}
    </span>
  );
}

export function DeadlineNotice({ ask }: { ask: AskView }) {
  const t = useTranslations("card");
  if (!ask.deadline_at) return null;
  const defaults = ask.on_timeout === "default" ? defaultsOf(ask, (value) => t(value ? "yes" : "no")) : undefined;
  const time = () => <Moment key="time" at={ask.deadline_at ?? ""} />;
  return (
    <p className="text-sm text-muted">
      {defaults
        ? t.rich("deadlineDefault", { time, answer: () => <strong>{defaults}</strong> })
        : t.rich(ask.questions.some((question) => question.required) ? "deadlineEnd" : "deadlineOptional", { time })}
    </p>
  );
}
