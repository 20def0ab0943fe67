"use client";

import { ChevronDown, ChevronRight } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { Moment } from "../ui/clock.tsx";
import { VisibleText } from "../ui/visible-text.tsx";

export type CardProps = {
  ask: AskView;
  /** Called with the new state of the ask after this person acted on it. */
  onChange: (ask: AskView) => void;
  /** Called when this person's answer was accepted. */
  onAnswered?: () => void;
  /** Adds a link to the conversation, if the card is shown outside it. */
  conversationLink?: boolean;
  /** Continues from this round in a new conversation. */
  onContinue?: () => void;
};

/** The frame of every card: title, round, who asked and when, and a button to collapse it. */
export function CardFrame({
  ask,
  title,
  icon,
  aside,
  isForm = false,
  isFolded,
  onFold,
  children,
}: {
  ask: AskView;
  title: string;
  icon: ReactNode;
  aside?: ReactNode;
  /** Whether the card holds a form that the person may be filling in. */
  isForm?: boolean;
  isFolded: boolean;
  onFold: (folded: boolean) => void;
  children: ReactNode;
}) {
  const t = useTranslations("card");
  const Chevron = isFolded ? ChevronRight : ChevronDown;
  return (
    <article
      data-kind="ask_user_question"
      data-status={ask.status}
      data-ask={ask.tool_use_id}
      data-form={isForm ? ask.inbox_item_id : undefined}
      aria-labelledby={`card-${ask.tool_use_id}`}
      className="rounded-r-lg border border-y-line border-r-line border-l-[3px] bg-raised"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-sm">
        <h2
          id={`card-${ask.tool_use_id}`}
          tabIndex={-1}
          className="flex items-center gap-1.5 font-semibold text-kind-ask outline-none"
        >
          {icon}
          {title}
        </h2>
        <span className="text-muted">
          {ask.total_rounds > ask.round
            ? t("roundOf", { round: ask.round, total: ask.total_rounds })
            : t("round", { round: ask.round })}
        </span>
        <span className="text-muted">
          {t.rich("askedBy", {
            time: () => <Moment key="time" at={ask.created_at} />,
            who: () => <VisibleText key="who">{askerOf(ask)}</VisibleText>,
          })}
        </span>
        <span className="ml-auto flex items-center gap-2">
          {aside}
          <button
            type="button"
            className="button-plain"
            aria-expanded={!isFolded}
            aria-label={isFolded ? t("unfold") : t("fold")}
            onClick={() => onFold(!isFolded)}
          >
            <Chevron size={16} aria-hidden />
          </button>
        </span>
      </header>
      {isFolded ? <p className="truncate px-4 pb-3 text-muted">{ask.questions[0]?.text}</p> : children}
    </article>
  );
}

function askerOf({ asked_by, input }: AskView): string {
  const path = typeof input.agent_path === "string" ? input.agent_path : "";
  return path ? `${asked_by.name} › ${path}` : asked_by.name;
}
