"use client";

import { Command } from "cmdk";
import { CircleDashed, Search } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import type { PersonView } from "../../lib/protocol/people.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { useClock } from "../ui/clock.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { isAway } from "./away.ts";
import { useMe } from "./me.tsx";
import { usePeople } from "./use-people.ts";

const ITEM =
  "flex min-h-10 items-center gap-2.5 rounded-md border border-transparent px-2 text-sm select-none data-[selected=true]:bg-pressed forced-colors:border-[Canvas] forced-colors:data-[selected=true]:border-[Highlight] pointer-coarse:min-h-12";

type Props = {
  count: number;
  onPick: (person: { id: string; name: string } | null) => void;
  onClose: () => void;
};

/** Chooses the person to assign questions to: the person themselves first, then everyone who can answer. */
export function PersonPicker({ count, onPick, onClose }: Props) {
  const t = useTranslations("holding");
  const format = useFormatter();
  const clock = useClock(60_000);
  const { person: me } = useMe();
  const { value, error, reload } = usePeople();
  const isMe = ({ id }: PersonView) => (id === me?.id ? 0 : 1);
  const people = (value ?? [])
    .filter(({ status, role }) => status === "active" && role !== "viewer")
    .sort((a, b) => isMe(a) - isMe(b));
  return (
    <Dialog title={t("pick", { count })} size="sm" onClose={onClose}>
      <Command label={t("pick", { count })} loop className="-mx-2">
        <div className="mx-2 flex items-center gap-2 rounded-md border border-field px-2.5">
          <Search size={14} className="shrink-0 text-subtle" aria-hidden />
          <Command.Input
            data-autofocus
            placeholder={t("search")}
            className="h-9 min-w-0 flex-1 bg-transparent text-lg outline-none sm:text-sm pointer-coarse:h-11"
          />
        </div>
        <Command.List label={t("people")} className="mt-2 max-h-72 overflow-y-auto overscroll-contain px-2">
          {value === undefined && error === undefined && (
            <div role="status">
              <span className="sr-only">{t("loading")}</span>
              <SkeletonRows rows={3} className="h-10" />
            </div>
          )}
          {error !== undefined && (
            <div role="alert" className="flex items-center justify-between gap-2 py-2 text-sm text-danger">
              {error}
              <Button size="sm" onClick={() => void reload()}>
                {t("again")}
              </Button>
            </div>
          )}
          {value && <Command.Empty className="py-6 text-center text-sm text-muted">{t("nobodyFound")}</Command.Empty>}
          {people.map((person) => (
            <Command.Item
              key={person.id}
              value={person.id}
              keywords={[person.name, person.login]}
              className={ITEM}
              onSelect={() => onPick({ id: person.id, name: person.name })}
            >
              <Avatar name={person.name} kind="person" />
              <span className="min-w-0 flex-1 truncate" dir="auto">
                {person.name}
                {person.id === me?.id && <span className="text-subtle"> {t("me")}</span>}
              </span>
              {isAway(person, clock) && (
                <span className="text-xs text-warning">
                  {t("away", {
                    date: format.dateTime(new Date(person.out_of_office_until ?? ""), {
                      month: "short",
                      day: "numeric",
                    }),
                  })}
                </span>
              )}
            </Command.Item>
          ))}
          {value && (
            <Command.Item value="nobody" keywords={[t("nobody")]} className={ITEM} onSelect={() => onPick(null)}>
              <CircleDashed size={18} className="shrink-0 text-subtle" aria-hidden />
              {t("nobody")}
            </Command.Item>
          )}
        </Command.List>
      </Command>
    </Dialog>
  );
}
