"use client";

import { useTranslations } from "next-intl";
import type { AskView } from "../../lib/protocol/ask.ts";
import { QuestionCard } from "../question/question-card.tsx";

/** All open questions of a conversation, in the order in which they were asked. */
export function UserQuestionPanel({ asks, onChange }: { asks: AskView[]; onChange: (ask: AskView) => void }) {
  const t = useTranslations("card");
  if (asks.length === 0) return null;
  return (
    <section aria-label={t("panel", { count: asks.length })} className="mt-4 space-y-4">
      {asks.map((ask) => (
        <div key={ask.tool_use_id} id={`round-${ask.round}`} className="scroll-mt-4">
          <QuestionCard ask={ask} onChange={onChange} />
        </div>
      ))}
    </section>
  );
}
