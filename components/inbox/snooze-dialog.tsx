"use client";

import { useFormatter, useTranslations } from "next-intl";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { useIsTeam } from "../team/me.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { localTime, snoozeTimes } from "./snooze-times.ts";

const A_YEAR_MS = 365 * 86_400_000;

type Props = { items: readonly InboxItem[]; onSnooze: (until: Date) => void; onClose: () => void };

/** Asks until when questions are put away. */
export function SnoozeDialog({ items, onSnooze, onClose }: Props) {
  const t = useTranslations("snooze");
  const format = useFormatter();
  const isTeam = useIsTeam();
  const [now] = useState(() => new Date());
  const times = snoozeTimes(now);
  const [picked, setPicked] = useState(() => localTime(times.at(-1)?.at ?? now));
  const [error, setError] = useState<string>();
  const pick = (event: FormEvent) => {
    event.preventDefault();
    const until = new Date(picked);
    const ahead = until.getTime() - Date.now();
    // An empty or half-filled field is no time.
    if (ahead > 0 && ahead < A_YEAR_MS) onSnooze(until);
    else setError(t("outside"));
  };
  return (
    <Dialog
      title={t("title", { count: items.length })}
      description={t("about", {
        team: isTeam ? "yes" : "no",
        due: items.some(({ deadline_at }) => deadline_at !== null) ? "yes" : "no",
      })}
      size="sm"
      onClose={onClose}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between its buttons, as Tab does. */}
      <div className="-mx-2" onKeyDown={moveFocus}>
        {times.map(({ name, at }, index) => (
          <button
            key={name}
            type="button"
            {...(index === 0 && { "data-autofocus": true })}
            className="flex min-h-10 w-full items-center gap-3 rounded-md px-2 text-left text-sm hover:bg-hover focus:bg-pressed pointer-coarse:min-h-12"
            onClick={() => onSnooze(at)}
          >
            <span className="flex-1">{t(name)}</span>
            <span className="text-muted tabular-nums">
              {format.dateTime(at, { weekday: "short", hour: "numeric", minute: "2-digit" })}
            </span>
          </button>
        ))}
      </div>
      <form noValidate className="mt-3 flex items-end gap-2 border-t border-line pt-3" onSubmit={pick}>
        <TextField
          label={t("pick")}
          type="datetime-local"
          className="min-w-0 flex-1"
          min={localTime(now)}
          value={picked}
          error={error}
          onChange={(value) => {
            setPicked(value);
            setError(undefined);
          }}
        />
        <Button type="submit">{t("confirm")}</Button>
      </form>
    </Dialog>
  );
}

function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (by === 0) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = buttons.findIndex((button) => button.matches(":focus"));
  buttons[at + by]?.focus();
}
