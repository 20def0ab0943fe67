"use client";

import { Ellipsis, KeyRound, Shield, UserCheck, UserX } from "lucide-react";
import dynamic from "next/dynamic";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import type { PersonChange, PersonView, Role } from "../../lib/protocol/people.ts";
import { api, errorText, isProblemWith } from "../live/api.ts";
import { isAway } from "../team/away.ts";
import { Avatar } from "../ui/avatar.tsx";
import { iconButtonClass } from "../ui/button.tsx";
import { Badge } from "../ui/chip.tsx";
import { Ago, useClock } from "../ui/clock.tsx";
import { Menu, MenuChoices, MenuItem, MenuSeparator, MenuSub } from "../ui/menu.tsx";
import { Row } from "../ui/page.tsx";
import { retrying } from "../ui/retrying.ts";
import { showToast } from "../ui/toast-store.ts";

// Loaded on demand, because it brings in a large library.
const AskFirst = dynamic(retrying(async () => (await import("../ui/ask-first.tsx")).AskFirst));
const LinkDialog = dynamic(retrying(async () => (await import("./link-dialog.tsx")).LinkDialog));

const ROLES = ["admin", "member", "viewer"] as const satisfies Role[];

type Props = {
  person: PersonView;
  isMe: boolean;
  isAdmin: boolean;
  onChanged: (person: PersonView) => void;
};

/** A person; admins change their role, disable them, and help them back in. */
export function PersonRow({ person, isMe, isAdmin, onChanged }: Props) {
  const t = useTranslations("people");
  const format = useFormatter();
  const clock = useClock(60_000);
  const [dialog, setDialog] = useState<"disable" | { url: string; expires_at: string }>();
  const isDisabled = person.status === "disabled";
  const change = async (body: PersonChange) => {
    const reply = await api.call("updatePerson", { params: { id: person.id }, body });
    onChanged(reply.person);
  };
  const textOf = (reason: unknown) => (isProblemWith(reason, "role") ? t("lastAdmin") : errorText(reason));
  const tryTo = (work: () => Promise<unknown>) =>
    work().catch((reason) => showToast({ text: textOf(reason), tone: "danger" }));
  const reset = async () => setDialog(await api.call("createResetLink", { params: { id: person.id } }));
  const until = person.out_of_office_until;
  return (
    <Row
      icon={<Avatar name={person.name} kind="person" size="lg" />}
      isQuiet={isDisabled}
      title={
        <>
          <span dir="auto">{person.name}</span>
          {isMe && <span className="text-xs font-normal text-subtle">{t("you")}</span>}
          <Badge>{t(`roles.${person.role}`)}</Badge>
          {isDisabled && <Badge tone="danger">{t("disabled")}</Badge>}
          {!isDisabled && isAway(person, clock) && (
            <Badge tone="warning">
              {t("awayUntil", { date: format.dateTime(new Date(until ?? ""), { month: "short", day: "numeric" }) })}
            </Badge>
          )}
        </>
      }
      facts={
        <>
          {person.login}
          {" · "}
          {person.active_at === null
            ? t("neverActive")
            : t.rich("active", { time: () => <Ago key="time" at={person.active_at ?? ""} /> })}
        </>
      }
    >
      {isAdmin && (
        <Menu
          trigger={
            <button type="button" className={iconButtonClass()} aria-label={t("actions", { name: person.name })}>
              <Ellipsis size={16} aria-hidden />
            </button>
          }
        >
          <MenuSub icon={<Shield size={14} aria-hidden />} label={t("role")}>
            <MenuChoices
              value={person.role}
              choices={ROLES.map((role) => ({
                value: role,
                label: (
                  <span>
                    <span className="block">{t(`roles.${role}`)}</span>
                    <span className="block text-xs text-subtle">{t(`rolesAbout.${role}`)}</span>
                  </span>
                ),
              }))}
              onChange={(role) => void tryTo(() => change({ role }))}
            />
          </MenuSub>
          {!isDisabled && (
            <MenuItem icon={<KeyRound size={14} aria-hidden />} onSelect={() => void tryTo(reset)}>
              {t("reset")}
            </MenuItem>
          )}
          {!isMe && <MenuSeparator />}
          {!isMe &&
            (isDisabled ? (
              <MenuItem
                icon={<UserCheck size={14} aria-hidden />}
                onSelect={() => void tryTo(() => change({ status: "active" }))}
              >
                {t("enable")}
              </MenuItem>
            ) : (
              <MenuItem icon={<UserX size={14} aria-hidden />} isDanger onSelect={() => setDialog("disable")}>
                {t("disable")}
              </MenuItem>
            ))}
        </Menu>
      )}
      {dialog === "disable" && (
        <AskFirst
          title={t("disableTitle", { name: person.name })}
          about={t("disableAbout")}
          confirm={t("disableConfirm")}
          errorText={textOf}
          onConfirm={() => change({ status: "disabled" })}
          onClose={() => setDialog(undefined)}
        />
      )}
      {typeof dialog === "object" && (
        <LinkDialog
          title={t("resetTitle", { name: person.name })}
          about={t("resetAbout", { name: person.name })}
          url={dialog.url}
          expires_at={dialog.expires_at}
          onClose={() => setDialog(undefined)}
        />
      )}
    </Row>
  );
}
