"use client";

import { useFormatter, useTranslations } from "next-intl";
import type { SessionSummary } from "../../lib/protocol/session.ts";
import { useClock } from "../ui/clock.tsx";
import { ConversationRow } from "./conversation-row.tsx";

const DAY_MS = 86_400_000;

/** Conversations under headings that say how old they are. */
export function ConversationList({ sessions }: { sessions: SessionSummary[] }) {
  const t = useTranslations("conversations.age");
  const format = useFormatter();
  const clock = useClock();
  const dayOf = (at: number) => format.dateTime(at, { year: "numeric", month: "numeric", day: "numeric" });
  const ageOf = ({ updated_at }: SessionSummary) => {
    const at = Date.parse(updated_at);
    if (at >= clock || dayOf(at) === dayOf(clock)) return "today";
    if (dayOf(at) === dayOf(clock - DAY_MS)) return "yesterday";
    return clock - at < 7 * DAY_MS ? "week" : "older";
  };
  return (["today", "yesterday", "week", "older"] as const).map((age) => {
    const own = sessions.filter((session) => ageOf(session) === age);
    return (
      own.length > 0 && (
        <section key={age} aria-labelledby={`age-${age}`} className="mt-3">
          <h2 id={`age-${age}`} className="px-3 pb-1 text-xs font-medium text-subtle">
            {t(age)}
          </h2>
          <ul>
            {own.map((session) => (
              <li key={session.session_id}>
                <ConversationRow session={session} />
              </li>
            ))}
          </ul>
        </section>
      )
    );
  });
}
