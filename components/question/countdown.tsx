"use client";

import { AlarmClock } from "lucide-react";
import { useTranslations } from "next-intl";
import { atDeadlineOf } from "../../lib/domain/deadline.ts";
import { answerParts } from "../../lib/domain/views/answer-text.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import { Moment, useClock, useDuration } from "../ui/clock.tsx";
import { labelsOf } from "./answer-labels.ts";

const NEAR_MS = 10 * 60_000;
const LAST_MS = 60_000;

/** How much time is left to answer. The colour changes only when it is near. */
export function Countdown({ ask }: { ask: AskView }) {
  const t = useTranslations("card");
  const clock = useClock();
  const duration = useDuration();
  if (!ask.deadline_at) return null;
  const left = Date.parse(ask.deadline_at) - clock;
  const colour = left < LAST_MS ? "text-danger" : left < NEAR_MS ? "text-warning" : "text-subtle";
  return (
    <span role="timer" aria-live="off" className={`inline-flex items-center gap-1 text-xs tabular-nums ${colour}`}>
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
  if (due.outcome !== "defaults")
    return <p className="text-xs text-subtle">{t.rich(NOTICES[due.outcome], { time })}</p>;
  const defaults = due.questions.flatMap((question) => {
    if (question.status !== "timeout" || !question.answered) return [];
    const { option_ids, text } = question.answered.answer;
    return [answerParts({ labels: labelsOf(question, option_ids, t), text }).join(", ")];
  });
  return (
    <p className="text-xs text-subtle">
      {t.rich("deadlineDefault", { time, answer: () => <strong key="answer">{defaults.join(" · ")}</strong> })}
    </p>
  );
}
