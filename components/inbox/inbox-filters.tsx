"use client";

import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { useKeys } from "../keyboard/use-keys.ts";
import type { InboxFilter } from "./inbox-list.ts";

/** The filters above the list; it offers the agents of the loaded rows. */
export function InboxFilters({
  filter,
  rows,
  onChange,
}: {
  filter: InboxFilter;
  rows: readonly InboxItem[];
  onChange: (change: Record<string, string | undefined>) => void;
}) {
  const t = useTranslations("inbox");
  const [q, setQ] = useState(filter.q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const search = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => search.current?.focus() });
  // Once offered, an agent stays offered: while one is chosen, all rows belong to it.
  const offered = useRef(new Set<string>());
  for (const name of [...rows.map(({ agent }) => agent), filter.agent]) if (name) offered.current.add(name);
  const names = [...offered.current].sort();
  return (
    <div className="flex flex-wrap gap-2 text-sm">
      <fieldset className="flex overflow-hidden rounded-md border border-field" aria-label={t("which")}>
        {(["open", "closed"] as const).map((status) => (
          <button
            key={status}
            type="button"
            aria-pressed={filter.status === status}
            className={`min-h-9 px-3 ${filter.status === status ? "bg-accent text-on-accent" : "hover:bg-sunken"}`}
            onClick={() => onChange({ view: status === "closed" ? "settled" : undefined })}
          >
            {t(status)}
          </button>
        ))}
      </fieldset>
      <input
        ref={search}
        type="search"
        className="field min-w-32 flex-1 py-1"
        placeholder={t("search")}
        aria-label={t("search")}
        value={q}
        onChange={(event) => {
          const value = event.target.value;
          setQ(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => onChange({ q: value }), 200);
        }}
      />
      {(names.length > 1 || filter.agent !== "") && (
        <select
          className="field w-auto py-1"
          aria-label={t("agent")}
          value={filter.agent}
          onChange={(event) => onChange({ agent: event.target.value })}
        >
          <option value="">{t("everyAgent")}</option>
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
    </div>
  );
}
