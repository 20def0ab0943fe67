"use client";

import { Boxes, Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useCallback, useState } from "react";
import type { SpaceView } from "../../lib/protocol/space.ts";
import { api } from "../live/api.ts";
import { useLoaded } from "../live/use-loaded.ts";
import { useMay, useMe } from "../team/me.tsx";
import { usePeople } from "../team/use-people.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { LoadedPart } from "../ui/loaded-part.tsx";
import { OldRows, Page, RowList } from "../ui/page.tsx";
import { retrying } from "../ui/retrying.ts";

// Loaded on demand, because it brings in a large library.
const SpaceRow = dynamic(retrying(async () => (await import("./space-row.tsx")).SpaceRow));
const SpaceNotifications = dynamic(
  retrying(async () => (await import("./space-notifications.tsx")).SpaceNotifications),
);
const SpaceDialog = dynamic(retrying(async () => (await import("./space-dialog.tsx")).SpaceDialog));

/** The spaces that questions are asked in. Admins create and change them. */
export function Spaces() {
  const t = useTranslations("spaces");
  const team = useTranslations("team");
  const router = useRouter();
  const { mode } = useMe();
  const isAdmin = useMay("manage");
  const spaces = useLoaded(useCallback(async () => (await api.call("listSpaces", {})).spaces, []));
  const { value: people = [] } = usePeople();
  const [editing, setEditing] = useState<SpaceView | "new">();
  const [notifying, setNotifying] = useState<SpaceView>();
  const [showsArchived, setShowsArchived] = useState(false);
  if (mode !== "team")
    return (
      <Page title={t("title")}>
        <EmptyState icon={<Boxes size={20} />} title={team("none")}>
          {team("noneAbout")}
        </EmptyState>
      </Page>
    );
  const onChanged = () => {
    void spaces.reload();
    // Space names appear on every page.
    router.refresh();
  };
  return (
    <Page
      title={t("title")}
      about={t("about")}
      actions={
        isAdmin && (
          <Button variant="primary" onClick={() => setEditing("new")}>
            <Plus size={14} aria-hidden />
            {t("create")}
          </Button>
        )
      }
    >
      <LoadedPart loaded={spaces}>
        {(all) => {
          const archived = all.filter((space) => space.archived);
          const shown = showsArchived ? all : all.filter((space) => !space.archived);
          return (
            <>
              <RowList label={t("title")}>
                {shown.map((space) => (
                  <SpaceRow
                    key={space.id}
                    space={space}
                    people={people}
                    isAdmin={isAdmin}
                    onEdit={() => setEditing(space)}
                    onNotifications={() => setNotifying(space)}
                    onChanged={onChanged}
                  />
                ))}
              </RowList>
              {archived.length > 0 && (
                <OldRows isShown={showsArchived} onShow={setShowsArchived}>
                  {t(showsArchived ? "hideArchived" : "showArchived", { count: archived.length })}
                </OldRows>
              )}
            </>
          );
        }}
      </LoadedPart>
      {notifying && (
        <SpaceNotifications
          space={notifying}
          people={people}
          onClose={() => setNotifying(undefined)}
          onSaved={() => {
            setNotifying(undefined);
            onChanged();
          }}
        />
      )}
      {editing && (
        <SpaceDialog
          space={editing === "new" ? undefined : editing}
          people={people}
          onClose={() => setEditing(undefined)}
          onSaved={() => {
            setEditing(undefined);
            onChanged();
          }}
        />
      )}
    </Page>
  );
}
