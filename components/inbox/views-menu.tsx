"use client";

import { Bookmark, FileJson, FileSpreadsheet, Plus, Trash2 } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { type FormEvent, useEffect, useState } from "react";
import { api } from "../live/api.ts";
import { download } from "../live/download.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Menu, MenuChoices, MenuItem, MenuLabel, MenuLink, MenuSeparator } from "../ui/menu.tsx";
import { type InboxView, queryOf, readView, writeView } from "./inbox-view.ts";
import { readSavedViews, removeView, type SavedView, saveView } from "./saved-views.ts";

/** Saved views, and the export of what the list shows. */
export function ViewsMenu({ view, onChange }: { view: InboxView; onChange: (view: InboxView) => void }) {
  const t = useTranslations("inbox");
  const [views, setViews] = useState(readSavedViews);
  const [isNaming, setNaming] = useState(false);
  const search = String(writeView(view));
  const current = views.find((each) => each.search === search);
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t("views")}>
            <Bookmark size={16} className={current ? "fill-current text-accent" : ""} aria-hidden />
          </IconButton>
        }
      >
        {views.length > 0 && (
          <>
            <MenuLabel>{t("savedViews")}</MenuLabel>
            <MenuChoices
              value={current?.name ?? ""}
              choices={views.map(({ name, search }) => ({
                value: name,
                label: <NamedView name={name} search={search} />,
              }))}
              onChange={(name) => {
                const chosen = views.find((each) => each.name === name);
                if (chosen) onChange(readView(new URLSearchParams(chosen.search)));
              }}
            />
            <MenuSeparator />
          </>
        )}
        {current ? (
          <MenuItem icon={<Trash2 size={14} aria-hidden />} onSelect={() => setViews(removeView(current.name))}>
            {t("deleteView", { name: current.name })}
          </MenuItem>
        ) : (
          <MenuItem icon={<Plus size={14} aria-hidden />} onSelect={() => setNaming(true)}>
            {t("saveView")}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuLabel>{t("export")}</MenuLabel>
        <MenuLink href={exportAddress(view, "csv")} onClick={download} icon={<FileSpreadsheet size={14} aria-hidden />}>
          CSV
        </MenuLink>
        <MenuLink href={exportAddress(view, "jsonl")} onClick={download} icon={<FileJson size={14} aria-hidden />}>
          JSONL
        </MenuLink>
      </Menu>
      {isNaming && (
        <NameView
          onClose={() => setNaming(false)}
          onSave={(name) => {
            setViews(saveView({ name, search }));
            setNaming(false);
          }}
        />
      )}
    </>
  );
}

/** The name of a saved view, and how many questions it has once that is known. */
function NamedView({ name, search }: SavedView) {
  const format = useFormatter();
  const [count, setCount] = useState<string>();
  useEffect(() => {
    const query = { ...queryOf(readView(new URLSearchParams(search)), Date.now()), limit: 1 };
    api.call("inbox", { query }).then(
      ({ counts }) => setCount(`${format.number(counts.matching ?? 0)}${counts.at_least ? "+" : ""}`),
      // The view works without its count.
      () => {},
    );
  }, [search, format]);
  return (
    <span className="flex flex-1 items-baseline gap-2">
      <span dir="auto">{name}</span>
      <span className="ml-auto text-xs text-subtle tabular-nums">{count}</span>
    </span>
  );
}

function NameView({ onClose, onSave }: { onClose: () => void; onSave: (name: string) => void }) {
  const t = useTranslations("inbox");
  const [name, setName] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) onSave(name.trim());
  };
  return (
    <Dialog title={t("saveViewTitle")} description={t("saveViewAbout")} size="sm" onClose={onClose}>
      <form className="space-y-4" onSubmit={submit}>
        <input
          className="field"
          aria-label={t("viewName")}
          placeholder={t("viewName")}
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" variant="primary" disabled={name.trim() === ""}>
            {t("save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The file has the same filters and order as the list. */
function exportAddress(view: InboxView, format: "csv" | "jsonl"): string {
  const params = new URLSearchParams({ format });
  for (const [name, values] of Object.entries(queryOf(view, Date.now())))
    for (const value of [values ?? []].flat()) if (value !== "") params.append(name, value);
  return `/api/inbox/export?${params}`;
}
