"use client";

import { AlarmClock } from "lucide-react";
import { useTranslations } from "next-intl";
import { atDeadlineOf } from "../../lib/domain/deadline.ts";
import { answerParts } from "../../lib/domain/views/answer-text.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import { Moment, useClock, useDuration } from "../ui/clock.tsx";
import { labelsOf } from "./answer-labels.ts";

/** How much time is left to answer. */
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

const NOTICES = { kept: "deadlineKept", stop: "deadlineEnd", go_on: "deadlineOptional" } as const;

/** What happens if nobody answers in time. */
export function DeadlineNotice({ ask }: { ask: AskView }) {
  const t = useTranslations("card");
  if (!ask.deadline_at) return null;
  const time = () => <Moment key="time" at={ask.deadline_at ?? ""} />;
  const due = atDeadlineOf(ask);
  if (due.outcome !== "defaults") return <p className="text-sm text-muted">{t.rich(NOTICES[due.outcome], { time })}</p>;
  const defaults = due.questions.flatMap((question) => {
    if (question.status !== "timeout" || !question.answered) return [];
    const { option_ids, text } = question.answered.answer;
    return [answerParts({ labels: labelsOf(question, option_ids, t), text }).join(", ")];
  });
  return (
    <p className="text-sm text-muted">
      {t.rich("deadlineDefault", { time, answer: () => <strong key="answer">{defaults.join(" · ")}</strong> })}
    </p>
  );
}
