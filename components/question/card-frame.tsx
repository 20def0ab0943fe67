"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Badge } from "../ui/chip.tsx";
import { Moment } from "../ui/clock.tsx";
import { ShowAll } from "../ui/show-all.tsx";
import { useClamp } from "../ui/use-clamp.ts";
import { VisibleText } from "../ui/visible-text.tsx";
import { ESSAY, isEssay } from "./essay.ts";
import { OptionalMark, QuestionHeader } from "./question-field.tsx";
import { expectedRounds, RoundProgress } from "./round-progress.tsx";

export type CardProps = {
  ask: AskView;
  /** Called with the new state of the ask after this person acted on it. */
  onChange: (ask: AskView) => void;
  /** Called when the person is done with this card. Their answer is then held for a moment, so that they can undo it. */
  onAnswered?: () => void;
  /** Its space, if known. */
  space_id?: string;
  /** Adds a link to the conversation, if the card is shown outside it. */
  conversationLink?: boolean;
  /** Opens the whole record of an ask that is settled, because the person came for it. */
  opensRecord?: boolean;
  /** Starts another conversation from this round. */
  onContinue?: () => void;
};

export const titleId = ({ tool_use_id }: Pick<AskView, "tool_use_id">) => `card-${tool_use_id}`;

/** The frame of an open card: who asks and when, then the question. */
export function CardFrame({
  ask,
  deadline,
  aside,
  present,
  isFolded,
  isTitled,
  children,
}: {
  ask: AskView;
  /** How much time is left, and what can be done about it. */
  deadline: ReactNode;
  aside: ReactNode;
  /** Who else is looking at it. */
  present: ReactNode;
  isFolded: boolean;
  /** The page around the card already says who asks and when. */
  isTitled: boolean;
  children: ReactNode;
}) {
  const t = useTranslations("card");
  const inbox = useTranslations("inbox");
  const roots = ask.questions.filter((question) => !question.parent);
  const [first] = roots;
  const isLone = roots.length === 1;
  const hasFacts = !isTitled || !isLone || ask.irreversible || ask.deadline_at !== null;
  const text = first?.text ?? "";
  const { place, isOpen, canFold, toggle } = useClamp<HTMLHeadingElement>();
  // In the inbox nothing on the screen is larger, unless the question is an essay.
  const look = isEssay(text)
    ? `${ESSAY} ${isOpen || isFolded ? "" : "line-clamp-8"}`
    : `font-semibold text-pretty ${isTitled ? "text-xl" : "text-lg"}`;
  const heading = (
    <>
      {isLone && first && !isFolded && <QuestionHeader question={first} />}
      <h2
        ref={place}
        id={titleId(ask)}
        tabIndex={-1}
        dir="auto"
        className={isLone || isFolded ? `text-ink outline-none ${look} ${isFolded ? "truncate" : ""}` : "sr-only"}
      >
        <VisibleText>{text}</VisibleText>
        {isLone && first && <OptionalMark question={first} />}
        {!isLone && ` ${t("more", { count: roots.length - 1 })}`}
      </h2>
      {isLone && !isFolded && canFold && <ShowAll isOpen={isOpen} onToggle={toggle} className="-ml-2" />}
    </>
  );
  return (
    <article
      data-kind="ask_user_question"
      data-status={ask.status}
      data-ask={ask.tool_use_id}
      data-form={ask.inbox_item_id}
      data-irreversible={ask.irreversible || undefined}
      aria-labelledby={titleId(ask)}
      className="relative rounded-r-lg border border-l-2 border-y-line border-r-line bg-page shadow-sm"
    >
      {present}
      <header className="flex items-start justify-between gap-3 pt-2.5 pr-2 pl-4 text-xs text-subtle">
        {hasFacts ? (
          <div className="flex min-h-7 min-w-0 flex-wrap items-center gap-x-2 gap-y-1 pointer-coarse:min-h-11">
            {!isTitled && <Asked ask={ask} />}
            {isTitled && !isLone && <span>{inbox("questions", { count: roots.length })}</span>}
            {ask.irreversible && <Badge tone="danger">{t("irreversible")}</Badge>}
            {deadline}
          </div>
        ) : (
          <div className="min-w-0 flex-1 pb-3 pointer-coarse:pt-2">{heading}</div>
        )}
        <span className="flex shrink-0 items-center gap-1">{aside}</span>
      </header>
      {hasFacts && <div className={isLone || isFolded ? "px-4 pt-1.5 pb-3" : undefined}>{heading}</div>}
      {!isFolded && children}
    </article>
  );
}

/** Who asks, in which round, and when. */
function Asked({ ask }: { ask: AskView }) {
  return (
    <>
      <Avatar name={ask.asked_by.name} kind="agent" />
      <span className="text-sm font-medium text-ink" dir="auto">
        <VisibleText>{askerOf(ask)}</VisibleText>
      </span>
      <RoundProgress round={ask.round} expected={expectedRounds(ask)} isOpen={ask.status === "pending"} />
      <span className="tabular-nums">
        <Moment at={ask.created_at} />
      </span>
    </>
  );
}

export function askerOf({ asked_by, input }: AskView): string {
  const path = typeof input.agent_path === "string" ? input.agent_path : "";
  return path ? `${asked_by.name} › ${path}` : asked_by.name;
}
