"use client";

import { CalendarClock, CircleDashed, OctagonAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { RoundProgress } from "../question/round-progress.tsx";
import { Name } from "../question/who.tsx";
import { holderOf } from "../team/holder.ts";
import { useMe } from "../team/me.tsx";
import { usePresentAt } from "../team/present.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Moment, useClock, useDuration } from "../ui/clock.tsx";
import { OutcomeIcon } from "../ui/outcome-icon.tsx";
import { VisibleText } from "../ui/visible-text.tsx";

/** The accent marks what needs an answer; red, what is overdue or cannot be undone. */
export function StatusDot({ item, isHeld }: { item: InboxItem; isHeld: boolean }) {
  const t = useTranslations("inbox");
  const clock = useClock(10_000);
  if (item.settled) return <OutcomeIcon outcome={item.settled.outcome} label={t(`settled.${item.settled.outcome}`)} />;
  if (isHeld) return <CircleDashed size={14} className="shrink-0 text-subtle" aria-hidden />;
  const isOverdue = item.deadline_at !== null && Date.parse(item.deadline_at) <= clock;
  return (
    <span className="flex size-3.5 shrink-0 items-center justify-center" aria-hidden>
      <span className={`size-2 rounded-full ${item.irreversible || isOverdue ? "bg-danger" : "bg-accent"}`} />
    </span>
  );
}

/** Who has claimed a question, in a few words; if it is only assigned, the assignee's avatar. */
function HolderFact({ item }: { item: InboxItem }) {
  const t = useTranslations("holding");
  const clock = useClock(10_000);
  const me = useMe().person?.id;
  const holder = holderOf(item, clock);
  if (!holder) return null;
  const { name, id } = holder.by;
  const isMe = id === me;
  return (
    <span
      data-testid="held-by"
      className={`inline-flex min-w-0 items-center gap-1 ${holder.how === "claimed" ? "text-info" : ""}`}
      title={t(holder.how === "claimed" ? "theirs" : "assignedTo", { name })}
    >
      <Avatar name={name} kind="person" size="sm" />
      <span className={holder.how === "claimed" ? "truncate" : "sr-only"} dir="auto">
        {holder.how === "claimed"
          ? isMe
            ? t("mine")
            : t("theirs", { name })
          : isMe
            ? t("assignedToMe")
            : t("assignedTo", { name })}
      </span>
    </span>
  );
}

/** The avatar of someone else who is typing an answer. */
function TypingFact({ item }: { item: InboxItem }) {
  const { people, isTyping, words } = usePresentAt(item);
  const [first] = people;
  if (!isTyping || !first) return null;
  return (
    <span data-testid="typing" className="inline-flex shrink-0 items-center gap-0.5 text-info" title={words}>
      <Avatar name={first.name} kind="person" size="sm" />
      <span aria-hidden className="tracking-widest motion-safe:animate-pulse">
        …
      </span>
      <span className="sr-only">{words}</span>
    </span>
  );
}

export function OpenFacts({ item, isNested }: { item: InboxItem; isNested: boolean }) {
  const t = useTranslations("inbox");
  return (
    <>
      <Avatar name={item.agent} kind="agent" size="sm" />
      <span className="min-w-0 truncate" dir="auto">
        <VisibleText>{item.agent}</VisibleText>
        {item.questions > 1 && ` · ${t("questions", { count: item.questions })}`}
        {item.title !== null && !isNested && (
          <>
            {" · "}
            <VisibleText>{item.title}</VisibleText>
          </>
        )}
      </span>
      {item.irreversible && (
        <span className="inline-flex shrink-0 items-center gap-1 text-danger">
          <OctagonAlert size={12} aria-hidden />
          {t("irreversible")}
        </span>
      )}
      {item.snoozed_until !== null && (
        <span data-testid="snoozed" className="inline-flex shrink-0 items-center gap-1">
          <CalendarClock size={12} aria-hidden />
          <span className="sr-only">{t("snoozedUntil")}</span>
          <Moment at={item.snoozed_until} />
        </span>
      )}
      <span className="ml-auto inline-flex max-w-[50%] shrink-0 items-center gap-1.5">
        <TypingFact item={item} />
        <HolderFact item={item} />
        <RoundProgress round={item.round} expected={item.expected_rounds} isOpen />
      </span>
    </>
  );
}

/** The answer, who gave it, and how long the agent waited. */
export function SettledFacts({ item }: { item: InboxItem }) {
  const t = useTranslations("inbox");
  const duration = useDuration();
  if (!item.settled) return null;
  const { outcome, decided_by } = item.settled;
  return (
    <>
      <span className="min-w-0 truncate" data-testid="settled" dir="auto">
        {item.answer ? (
          <span className="text-ink">
            → <VisibleText>{item.answer}</VisibleText>
          </span>
        ) : (
          t(`settled.${outcome}`)
        )}
        {decided_by.kind !== "system" && (
          <>
            {" · "}
            {decided_by.kind === "default" ? t("defaultUsed") : <Name by={decided_by} />}
          </>
        )}
        {item.took_ms !== null && outcome !== "timeout" && <> · {duration(item.took_ms)}</>}
      </span>
      <span className="ml-auto">
        <RoundProgress round={item.round} expected={item.expected_rounds} isOpen={false} />
      </span>
    </>
  );
}
