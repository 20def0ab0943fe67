"use client";

import { useFormatter, useTranslations } from "next-intl";
import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";

/** When the server rendered the page: the browser's first paint must show the same time. */
const RenderedAt = createContext(0);

export function ClockProvider({ now, children }: { now: number; children: ReactNode }) {
  return <RenderedAt value={now}>{children}</RenderedAt>;
}

let second = 0;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    second = now();
    for (const each of listeners) each();
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    second = 0;
  };
}

function now(): number {
  return Math.floor(Date.now() / 1_000) * 1_000;
}

/** The current time, to the second or to a longer step, after which the component renders again. All share one timer. */
export function useClock(step_ms = 1_000): number {
  const renderedAt = useContext(RenderedAt);
  const rounded = (time: number) => Math.floor(time / step_ms) * step_ms;
  return useSyncExternalStore(
    subscribe,
    () => {
      second ||= now();
      return rounded(second);
    },
    () => rounded(renderedAt),
  );
}

/** A duration in words, in its two largest units. */
export function useDuration(): (ms: number) => string {
  const t = useTranslations("duration");
  return (ms) => {
    const seconds = Math.max(0, Math.floor(ms / 1_000));
    const minutes = Math.floor(seconds / 60);
    const hours = Math.floor(minutes / 60);
    const days = Math.floor(hours / 24);
    if (days > 0) return t("days", { days, hours: hours % 24 });
    if (hours > 0) return t("hours", { hours, minutes: minutes % 60 });
    if (minutes > 0) return t("minutes", { minutes, seconds: seconds % 60 });
    return seconds > 0 ? t("seconds", { seconds }) : t("under");
  };
}

/** A timestamp: the time if it is today, otherwise with the date. The full timestamp appears on hover. */
export function Moment({ at }: { at: string }) {
  const format = useFormatter();
  const clock = useClock();
  const date = new Date(at);
  const isToday = format.dateTime(date, { dateStyle: "short" }) === format.dateTime(clock, { dateStyle: "short" });
  return (
    <time dateTime={at} title={format.dateTime(date, { dateStyle: "full", timeStyle: "long" })}>
      {isToday
        ? format.dateTime(date, { timeStyle: "short" })
        : format.dateTime(date, { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" })}
    </time>
  );
}

/** How long ago, as short as the language allows and without counting seconds. */
export function Ago({ at }: { at: string }) {
  const t = useTranslations("duration");
  const format = useFormatter();
  const clock = useClock(10_000);
  const now = Math.max(clock, Date.parse(at));
  const isJustNow = now - Date.parse(at) < 60_000;
  return (
    <time dateTime={at} title={format.dateTime(new Date(at), { dateStyle: "full", timeStyle: "long" })}>
      {isJustNow ? t("justNow") : format.relativeTime(new Date(at), { now, style: "narrow" })}
    </time>
  );
}

/** A timestamp of a record: with its date and its seconds. */
export function ExactMoment({ at }: { at: string }) {
  const format = useFormatter();
  const date = new Date(at);
  return (
    <time dateTime={at} className="tabular-nums">
      {format.dateTime(date, { dateStyle: "medium", timeStyle: "medium" })}
    </time>
  );
}
