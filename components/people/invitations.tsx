"use client";

import { MailOpen } from "lucide-react";
import dynamic from "next/dynamic";
import { useFormatter, useTranslations } from "next-intl";
import { useCallback, useState } from "react";
import type { InvitationView } from "../../lib/protocol/people.ts";
import { api, errorText } from "../live/api.ts";
import { useLoaded } from "../live/use-loaded.ts";
import { Button } from "../ui/button.tsx";
import { Badge } from "../ui/chip.tsx";
import { Ago } from "../ui/clock.tsx";
import { LoadedPart } from "../ui/loaded-part.tsx";
import { NoRows, Row, RowList } from "../ui/page.tsx";
import { retrying } from "../ui/retrying.ts";

// Loaded on demand, because it brings in a large library.
const AskFirst = dynamic(retrying(async () => (await import("../ui/ask-first.tsx")).AskFirst));

/** The invitations that nobody has accepted yet. */
export function Invitations() {
  const t = useTranslations("people");
  const format = useFormatter();
  const loaded = useLoaded(useCallback(async () => (await api.call("listInvitations", {})).invitations, []));
  const [revoking, setRevoking] = useState<InvitationView>();
  return (
    <>
      <LoadedPart loaded={loaded} rows={1}>
        {(invitations) =>
          invitations.length === 0 ? (
            <NoRows>{t("noInvitations")}</NoRows>
          ) : (
            <RowList label={t("invitations")}>
              {invitations.map((invitation) => (
                <Row
                  key={invitation.id}
                  icon={<MailOpen size={16} aria-hidden />}
                  title={
                    <>
                      {invitation.login ?? t("anybody")}
                      <Badge>{t(`roles.${invitation.role}`)}</Badge>
                    </>
                  }
                  facts={t.rich("invitedBy", {
                    name: invitation.invited_by,
                    time: () => <Ago key="time" at={invitation.created_at} />,
                    end: format.dateTime(new Date(invitation.expires_at), { dateStyle: "medium" }),
                  })}
                >
                  <Button
                    variant="ghost"
                    aria-label={t("revokeNamed", { who: invitation.login ?? t("anybody") })}
                    onClick={() => setRevoking(invitation)}
                  >
                    {t("revoke")}
                  </Button>
                </Row>
              ))}
            </RowList>
          )
        }
      </LoadedPart>
      {revoking && (
        <AskFirst
          title={t("revokeTitle")}
          about={t("revokeAbout")}
          confirm={t("revoke")}
          errorText={errorText}
          onConfirm={async () => {
            await api.call("revokeInvitation", { params: { id: revoking.id } });
            loaded.update((invitations) => invitations.filter(({ id }) => id !== revoking.id));
          }}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  );
}
