"use client";

import { AlarmClock, Bot, Boxes, CalendarDays, CircleCheck, Folder, ListFilter, User } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import type { InboxFacets } from "../../lib/protocol/inbox.ts";
import { api, errorText } from "../live/api.ts";
import { useIsTeam } from "../team/me.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Menu, MenuCheck, MenuChoices, MenuLabel, MenuSub } from "../ui/menu.tsx";
import { useFilterWords } from "./filter-words.ts";
import { DEADLINES, type InboxView, OUTCOMES, PERIODS } from "./inbox-view.ts";

type Props = { view: InboxView; onChange: (view: InboxView) => void };

/** Filters the list. What it offers, and how many of each there are, comes from the server. */
export function FilterMenu(props: Props) {
  const t = useTranslations("inbox");
  return (
    <Menu
      trigger={
        <IconButton label={t("filter")}>
          <ListFilter size={16} aria-hidden />
        </IconButton>
      }
    >
      <Filters {...props} />
    </Menu>
  );
}

/** The values of one filter: a submenu, or a section under a heading if the screen has no room for two menus. */
function Values({ icon, label, children }: { icon: ReactNode; label: string; children: ReactNode }) {
  const [isNarrow] = useState(() => window.matchMedia("(max-width: 40rem)").matches);
  if (!isNarrow)
    return (
      <MenuSub icon={icon} label={label}>
        {children}
      </MenuSub>
    );
  return (
    <>
      <MenuLabel>{label}</MenuLabel>
      {children}
    </>
  );
}

/** In the menu, so that the values are read each time it opens. */
function Filters({ view, onChange }: Props) {
  const t = useTranslations("inbox");
  const words = useFilterWords();
  const isTeam = useIsTeam();
  const { status } = view;
  const [facets, setFacets] = useState<InboxFacets>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    api.call("inbox", { query: { status, facets: "true", limit: 1 } }).then(
      (page) => setFacets(page.facets),
      (reason) => setError(errorText(reason)),
    );
  }, [status]);
  const values = (
    name: "agent" | "title" | "space" | "by",
    icon: ReactNode,
    facet: InboxFacets["agents"] | undefined,
  ) => {
    const chosen: readonly string[] = view[name];
    // A chosen value stays offered, whatever the server counts now.
    const offered = [...(facet ?? [])];
    for (const value of chosen) if (!offered.some((each) => each.value === value)) offered.push({ value, count: 0 });
    return (
      <Values icon={icon} label={t(`filters.${name}`)}>
        {offered.length === 0 && <MenuLabel>{error ?? t(facets ? "noValues" : "loading")}</MenuLabel>}
        {offered.map(({ value, count }) => (
          <MenuCheck
            key={value}
            isChecked={chosen.includes(value)}
            onChange={(isOn) =>
              onChange({ ...view, [name]: isOn ? [...chosen, value] : chosen.filter((each) => each !== value) })
            }
          >
            {name === "agent" && <Avatar name={value} kind="agent" />}
            {name === "by" && <Avatar name={words(name, value)} kind="person" />}
            <span className="min-w-0 flex-1 truncate" dir="auto">
              {words(name, value)}
            </span>
            <span className="text-xs text-subtle tabular-nums">{count}</span>
          </MenuCheck>
        ))}
      </Values>
    );
  };
  const anyOf = <Value extends string>(name: "deadline" | "period", all: readonly Value[]) => [
    { value: "", label: t("any") },
    ...all.map((value) => ({ value, label: words(name, value) })),
  ];
  return (
    <>
      {isTeam && values("space", <Boxes size={14} aria-hidden />, facets?.spaces)}
      {values("agent", <Bot size={14} aria-hidden />, facets?.agents)}
      {values("title", <Folder size={14} aria-hidden />, facets?.titles)}
      {status === "open" ? (
        <Values icon={<AlarmClock size={14} aria-hidden />} label={t("filters.deadline")}>
          <MenuChoices
            value={view.deadline ?? ""}
            choices={anyOf("deadline", DEADLINES)}
            onChange={(value) => onChange({ ...view, deadline: DEADLINES.find((each) => each === value) })}
          />
        </Values>
      ) : (
        <>
          <Values icon={<CircleCheck size={14} aria-hidden />} label={t("filters.outcome")}>
            {OUTCOMES.map((outcome) => (
              <MenuCheck
                key={outcome}
                isChecked={view.outcome.includes(outcome)}
                onChange={(isOn) =>
                  onChange({
                    ...view,
                    outcome: OUTCOMES.filter((each) => (each === outcome ? isOn : view.outcome.includes(each))),
                  })
                }
              >
                <span className="flex-1">{words("outcome", outcome)}</span>
                <span className="text-xs text-subtle tabular-nums">
                  {facets?.outcomes.find(({ value }) => value === outcome)?.count ?? 0}
                </span>
              </MenuCheck>
            ))}
          </Values>
          {values("by", <User size={14} aria-hidden />, facets?.people)}
          <Values icon={<CalendarDays size={14} aria-hidden />} label={t("filters.period")}>
            <MenuChoices
              value={view.period ?? ""}
              choices={anyOf("period", PERIODS)}
              onChange={(value) => onChange({ ...view, period: PERIODS.find((each) => each === value) })}
            />
          </Values>
        </>
      )}
    </>
  );
}
