"use client";

import { Archive, ArchiveRestore, BellRing, Ellipsis, Globe, Lock, Pencil } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { PersonView } from "../../lib/protocol/people.ts";
import { EVERYONE, type SpaceView } from "../../lib/protocol/space.ts";
import { api, errorText } from "../live/api.ts";
import { Avatar } from "../ui/avatar.tsx";
import { iconButtonClass } from "../ui/button.tsx";
import { Badge } from "../ui/chip.tsx";
import { Menu, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { Row } from "../ui/page.tsx";
import { retrying } from "../ui/retrying.ts";
import { showToast } from "../ui/toast-store.ts";

// Loaded on demand, because it brings in a large library.
const AskFirst = dynamic(retrying(async () => (await import("../ui/ask-first.tsx")).AskFirst));

const SHOWN = 5;

type Props = {
  space: SpaceView;
  people: readonly PersonView[];
  isAdmin: boolean;
  onEdit: () => void;
  onNotifications: () => void;
  onChanged: () => void;
};

/** A space: who can see it, and what it requires. */
export function SpaceRow({ space, people, isAdmin, onEdit, onNotifications, onChanged }: Props) {
  const t = useTranslations("spaces");
  const [isArchiving, setArchiving] = useState(false);
  const members = people.filter(({ id }) => space.members.includes(id));
  const setArchived = async (archived: boolean) => {
    await api.call("updateSpace", { params: { id: space.id }, body: { archived } });
    onChanged();
  };
  const Icon = space.open ? Globe : Lock;
  return (
    <Row
      icon={<Icon size={16} aria-hidden />}
      isQuiet={space.archived}
      title={
        <>
          <span dir="auto">{space.name}</span>
          {space.requires_second_person && <Badge tone="info">{t("second")}</Badge>}
          {space.archived && <Badge>{t("archived")}</Badge>}
        </>
      }
      facts={space.open ? t("open") : t("members", { count: space.members.length })}
    >
      {!space.open && members.length > 0 && (
        <span className="mr-2 flex gap-0.5 max-sm:hidden" title={members.map(({ name }) => name).join(", ")}>
          {members.slice(0, SHOWN).map((person) => (
            <Avatar key={person.id} name={person.name} kind="person" />
          ))}
          {members.length > SHOWN && (
            <span className="pl-1 text-xs text-subtle tabular-nums">+{members.length - SHOWN}</span>
          )}
        </span>
      )}
      {isAdmin && (
        <Menu
          trigger={
            <button type="button" className={iconButtonClass()} aria-label={t("actions", { name: space.name })}>
              <Ellipsis size={16} aria-hidden />
            </button>
          }
        >
          <MenuItem icon={<Pencil size={14} aria-hidden />} onSelect={onEdit}>
            {t("edit")}
          </MenuItem>
          <MenuItem icon={<BellRing size={14} aria-hidden />} onSelect={onNotifications}>
            {t("notifications")}
          </MenuItem>
          {space.id !== EVERYONE && <MenuSeparator />}
          {space.id !== EVERYONE &&
            (space.archived ? (
              <MenuItem
                icon={<ArchiveRestore size={14} aria-hidden />}
                onSelect={() =>
                  void setArchived(false).catch((reason) => showToast({ text: errorText(reason), tone: "danger" }))
                }
              >
                {t("restore")}
              </MenuItem>
            ) : (
              <MenuItem icon={<Archive size={14} aria-hidden />} onSelect={() => setArchiving(true)}>
                {t("archive")}
              </MenuItem>
            ))}
        </Menu>
      )}
      {isArchiving && (
        <AskFirst
          title={t("archiveTitle", { name: space.name })}
          about={t("archiveAbout")}
          confirm={t("archiveConfirm")}
          errorText={errorText}
          onConfirm={() => setArchived(true)}
          onClose={() => setArchiving(false)}
        />
      )}
    </Row>
  );
}
