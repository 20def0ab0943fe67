"use client";

import { Moon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import type { QuietHours as Hours } from "../../lib/protocol/quiet-hours.ts";
import { api, errorText } from "../live/api.ts";
import { useMe } from "../team/me.tsx";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Section } from "../ui/page.tsx";
import { Switch } from "../ui/switch.tsx";
import { showToast } from "../ui/toast-store.ts";

const DAYS = [1, 2, 3, 4, 5, 6, 7] as const;
const USUAL: Hours = { from: "22:00", to: "07:00" };
/** A Monday: the names of the days come from the person's language. */
const MONDAY = Date.UTC(2024, 0, 1, 12);

/** When the person does not want to be notified, in their time zone. */
export function QuietHours() {
  const t = useTranslations("notifications.quiet");
  const format = useFormatter();
  const router = useRouter();
  const { quiet_hours, time_zone } = useMe();
  const [isOn, setOn] = useState(quiet_hours !== null);
  const [hours, setHours] = useState<Hours>(quiet_hours ?? USUAL);
  /** Saved, or about to be: `useMe` learns of it later. */
  const [isSaved, setSaved] = useState(quiet_hours !== null);
  const [isBusy, setBusy] = useState(false);
  const days = hours.days ?? [...DAYS];
  const save = async (next: Hours | null) => {
    setBusy(true);
    setSaved(next !== null);
    try {
      // Quiet hours use the account's time zone; without one, the server's would apply.
      const zone = time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
      await api.call("updateMe", { body: { quiet_hours: next, ...(next && { time_zone: zone }) } });
      showToast({ text: t("saved"), tone: "good" });
      router.refresh();
    } catch (reason) {
      showToast({ text: errorText(reason), tone: "danger" });
    }
    setBusy(false);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void save(hours);
  };
  const dayName = (day: number) =>
    format.dateTime(new Date(MONDAY + (day - 1) * 86_400_000), { weekday: "short", timeZone: "UTC" });
  return (
    <Section title={t("title")} about={t("about")}>
      <form className="space-y-4 rounded-lg border border-line bg-page p-4" onSubmit={onSubmit}>
        <div className="flex items-start gap-3">
          <Moon size={16} className="mt-2 shrink-0 text-muted" aria-hidden />
          <div className="flex-1">
            <Switch
              label={t("on")}
              isOn={isOn}
              onChange={(on) => {
                setOn(on);
                if (!on && isSaved) void save(null);
              }}
            />
          </div>
        </div>
        {isOn && (
          <>
            <div className="flex flex-wrap gap-3">
              <TextField
                type="time"
                label={t("from")}
                value={hours.from}
                onChange={(from) => setHours({ ...hours, from })}
              />
              <TextField type="time" label={t("to")} value={hours.to} onChange={(to) => setHours({ ...hours, to })} />
            </div>
            <fieldset>
              <legend className="mb-1 text-sm font-medium">{t("days")}</legend>
              <div className="flex flex-wrap gap-1.5">
                {DAYS.map((day) => (
                  <label
                    key={day}
                    className="flex h-8 cursor-pointer items-center rounded-md border border-field px-2.5 text-sm has-checked:border-accent has-checked:bg-chosen has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:h-11"
                  >
                    <input
                      type="checkbox"
                      className="sr-only"
                      checked={days.includes(day)}
                      onChange={({ target }) =>
                        setHours({
                          ...hours,
                          days: DAYS.filter((each) => (each === day ? target.checked : days.includes(each))),
                        })
                      }
                    />
                    {dayName(day)}
                  </label>
                ))}
              </div>
              <p className="mt-1 text-xs text-subtle">{t("daysHint")}</p>
            </fieldset>
            <Button type="submit" isBusy={isBusy} disabled={days.length === 0 || hours.from === hours.to}>
              {t("save")}
            </Button>
          </>
        )}
      </form>
    </Section>
  );
}
