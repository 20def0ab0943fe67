"use client";

import { CalendarClock, CircleCheck, CloudOff, Hand, History, Play, SearchX } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { StartDemo } from "../conversations/start-demo.tsx";
import { api } from "../live/api.ts";
import { Name } from "../question/who.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { Moment } from "../ui/clock.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { type InboxView, isFiltered } from "./inbox-view.ts";

type StateProps = {
  view: InboxView;
  /** Why the list could not be loaded. */
  error: string | undefined;
  /** The question that was settled last. */
  last: InboxItem | undefined;
  onRetry: () => void;
  onClear: () => void;
};

/** What is in place of an empty list. */
export function EmptyInbox({ view, error, last, onRetry, onClear }: StateProps) {
  if (error) return <NotLoaded reason={error} onRetry={onRetry} />;
  if (view.snoozed && !isFiltered({ ...view, snoozed: false })) return <NothingSnoozed onClear={onClear} />;
  if (isFiltered(view)) return <NoMatch status={view.status} onClear={onClear} />;
  if (view.assignee) return <NothingHeld whose={view.assignee} />;
  return view.status === "open" ? <AllClear last={last} /> : <NothingSettled />;
}

/** The address names a question that does not exist. */
export function NoSuchQuestion() {
  const t = useTranslations("inbox");
  return <EmptyState icon={<SearchX size={20} />} title={t("gone")} />;
}

function NothingSnoozed({ onClear }: { onClear: () => void }) {
  const t = useTranslations("inbox");
  return (
    <EmptyState
      icon={<CalendarClock size={20} />}
      title={t("noneSnoozed")}
      actions={<Button onClick={onClear}>{t("showOpen")}</Button>}
    >
      {t("noneSnoozedAbout")}
    </EmptyState>
  );
}

/** No open questions: shows who answered last, and where to go next. */
function AllClear({ last }: { last: InboxItem | undefined }) {
  const t = useTranslations("inbox");
  const [latest, setLatest] = useState(last);
  useEffect(() => {
    api.call("inbox", { query: { status: "closed", limit: 1 } }).then(
      ({ items }) => setLatest((before) => items[0] ?? before),
      // What the server rendered still holds.
      () => {},
    );
  }, []);
  const settled = latest?.settled;
  return (
    <EmptyState
      icon={<CircleCheck size={20} className="text-good" />}
      title={t("allClear")}
      actions={
        <>
          <Link className={buttonClass()} href="/?view=settled">
            <History size={14} aria-hidden />
            {t("toSettled")}
          </Link>
          <Link className={buttonClass()} href="/connect">
            {t("toConnect")}
          </Link>
          <Link className={buttonClass()} href="/notifications">
            {t("toNotifications")}
          </Link>
          <StartDemo className={buttonClass({ variant: "ghost" })}>
            <Play size={14} aria-hidden />
            {t("toDemo")}
          </StartDemo>
        </>
      }
    >
      <p>{t("allClearAbout")}</p>
      {latest && settled && (
        <p className="mt-3 text-xs text-subtle">
          {t.rich("lastSettled", {
            who: () => <Name key="who" by={settled.decided_by} />,
            time: () => <Moment key="time" at={latest.closed_at ?? latest.created_at} />,
            question: () => <VisibleText key="question">{latest.question}</VisibleText>,
          })}
        </p>
      )}
    </EmptyState>
  );
}

/** No question matches the filters: what to do is to clear them. */
function NoMatch({ status, onClear }: { status: "open" | "closed"; onClear: () => void }) {
  const t = useTranslations("inbox");
  return (
    <EmptyState
      icon={<SearchX size={20} />}
      title={t(status === "open" ? "noMatch" : "noneSettled")}
      actions={<Button onClick={onClear}>{t("clearFilters")}</Button>}
    >
      {t("noMatchAbout")}
    </EmptyState>
  );
}

/** The person has no questions, or there are no unassigned ones. */
function NothingHeld({ whose }: { whose: "me" | "none" }) {
  const t = useTranslations("inbox");
  return (
    <EmptyState
      icon={whose === "me" ? <Hand size={20} /> : <CircleCheck size={20} className="text-good" />}
      title={t(`held.${whose}`)}
      actions={
        <Link className={buttonClass()} href={whose === "me" ? "/?assignee=none" : "/"}>
          {t(`heldGo.${whose}`)}
        </Link>
      }
    >
      {t(`heldAbout.${whose}`)}
    </EmptyState>
  );
}

function NothingSettled() {
  const t = useTranslations("inbox");
  return (
    <EmptyState icon={<History size={20} />} title={t("nothingSettled")}>
      {t("nothingSettledAbout")}
    </EmptyState>
  );
}

/** The list could not be loaded. It retries automatically, so nobody has to press the button. */
function NotLoaded({ reason, onRetry }: { reason: string; onRetry: () => void }) {
  const t = useTranslations("inbox");
  return (
    <EmptyState
      icon={<CloudOff size={20} />}
      title={t("notLoaded")}
      role="alert"
      actions={<Button onClick={onRetry}>{t("retry")}</Button>}
    >
      <p>{reason}</p>
      <p>{t("retrying")}</p>
    </EmptyState>
  );
}
