"use client";

import { UserPlus, Users } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useMay, useMe } from "../team/me.tsx";
import { usePeople } from "../team/use-people.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { LoadedPart } from "../ui/loaded-part.tsx";
import { Page, RowList, Section } from "../ui/page.tsx";
import { retrying } from "../ui/retrying.ts";
import { Invitations } from "./invitations.tsx";
import { TeamSettings } from "./team-settings.tsx";

// Loaded on demand, because it brings in a large library.
const PersonRow = dynamic(retrying(async () => (await import("./person-row.tsx")).PersonRow));
const InviteDialog = dynamic(retrying(async () => (await import("./invite-dialog.tsx")).InviteDialog));

/** Everyone with an account, and for admins the open invitations. */
export function People() {
  const t = useTranslations("people");
  const team = useTranslations("team");
  const { mode, person } = useMe();
  const isAdmin = useMay("manage");
  const people = usePeople();
  const [isInviting, setInviting] = useState(false);
  const [invited, setInvited] = useState(0);
  if (mode !== "team")
    return (
      <Page title={t("title")}>
        <EmptyState icon={<Users size={20} />} title={team("none")}>
          {team("noneAbout")}
        </EmptyState>
      </Page>
    );
  return (
    <Page
      title={t("title")}
      about={t(isAdmin ? "about" : "aboutMember")}
      actions={
        isAdmin && (
          <Button variant="primary" onClick={() => setInviting(true)}>
            <UserPlus size={14} aria-hidden />
            {t("invite")}
          </Button>
        )
      }
    >
      <LoadedPart loaded={people}>
        {(all) => (
          <RowList label={t("title")}>
            {all.map((each) => (
              <PersonRow
                key={each.id}
                person={each}
                isMe={each.id === person?.id}
                isAdmin={isAdmin}
                onChanged={(changed) =>
                  people.update((before) => before.map((one) => (one.id === changed.id ? changed : one)))
                }
              />
            ))}
          </RowList>
        )}
      </LoadedPart>
      {people.value?.length === 1 && isAdmin && <p className="mt-4 text-center text-sm text-muted">{t("alone")}</p>}
      {isAdmin && (
        <Section title={t("invitations")} about={t("invitationsAbout")}>
          <Invitations key={invited} />
        </Section>
      )}
      {isAdmin && <TeamSettings />}
      {isInviting && (
        <InviteDialog
          onClose={() => {
            setInviting(false);
            setInvited(invited + 1);
          }}
        />
      )}
    </Page>
  );
}
