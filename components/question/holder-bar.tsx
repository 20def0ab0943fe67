"use client";

import { CircleDashed, Hand, ShieldAlert, UserPlus } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import type { AskView } from "../../lib/protocol/ask.ts";
import { holderOf } from "../team/holder.ts";
import { useMe } from "../team/me.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { useClock } from "../ui/clock.tsx";
import { Kbd } from "../ui/kbd.tsx";

type Props = {
  ask: AskView;
  isDisabled: boolean;
  /** Whether the keys of the inbox work here. */
  hasKeys: boolean;
  onClaim: (takeOver: boolean) => void;
  onRelease: () => void;
  onAssign: () => void;
};

/** Who has claimed the question or is assigned to it, and the actions for that. */
export function HolderBar({ ask, isDisabled, hasKeys, onClaim, onRelease, onAssign }: Props) {
  const t = useTranslations("holding");
  const format = useFormatter();
  const clock = useClock();
  const { person: me } = useMe();
  const holder = holderOf(ask, clock);
  const isMine = holder?.by.id === me?.id;
  const isClaimed = holder?.how === "claimed";
  const text = !holder
    ? t("free")
    : isClaimed
      ? isMine
        ? t("mine")
        : t("theirs", { name: holder.by.name })
      : isMine
        ? t("assignedToMe")
        : t("assignedTo", { name: holder.by.name });
  return (
    <div
      data-testid="holder"
      className={`flex flex-wrap items-center gap-x-2 rounded-md py-1 pr-1 pl-3 text-sm ${
        isClaimed && !isMine ? "bg-info-fill" : "bg-sunken"
      }`}
    >
      {holder ? (
        <Avatar name={holder.by.name} kind="person" />
      ) : (
        <CircleDashed size={16} className="text-subtle" aria-hidden />
      )}
      <p className="min-h-7 min-w-0 flex-1 basis-24 content-center" role="status" dir="auto">
        <span className={holder ? "font-medium" : "text-muted"}>{text}</span>
        {!holder && ask.requested_assignee !== null && (
          <span className="break-words text-muted">
            {" · "}
            {t("wanted", { name: ask.requested_assignee })}
          </span>
        )}
        {isClaimed && (
          <span className="text-muted">
            {" · "}
            {t("until", { time: format.dateTime(new Date(holder.until), { timeStyle: "short" }) })}
          </span>
        )}
      </p>
      {!isDisabled && (
        <span className="flex items-center">
          <Button size="sm" variant="ghost" onClick={onAssign}>
            <UserPlus size={14} aria-hidden />
            {t("assign")} {hasKeys && <Kbd>A</Kbd>}
          </Button>
          {isClaimed && isMine ? (
            <Button size="sm" variant="ghost" onClick={onRelease}>
              {t("release")} {hasKeys && <Kbd>C</Kbd>}
            </Button>
          ) : (
            <Button size="sm" variant="ghost" className="text-accent" onClick={() => onClaim(isClaimed)}>
              <Hand size={14} aria-hidden />
              {t(isClaimed ? "takeOver" : "claim")} {hasKeys && <Kbd>C</Kbd>}
            </Button>
          )}
        </span>
      )}
    </div>
  );
}

/** Why this person cannot answer. */
export function CannotAnswer({ why }: { why: "viewer" | "second" }) {
  const t = useTranslations("holding");
  return (
    <p role="note" className="flex gap-2 rounded-md bg-info-fill px-3 py-2 text-sm">
      <ShieldAlert size={16} className="mt-0.5 shrink-0 text-info" aria-hidden />
      <span>
        <strong className="block font-medium">{t(`cannot.${why}`)}</strong>
        {t(`cannotAbout.${why}`)}
      </span>
    </p>
  );
}
