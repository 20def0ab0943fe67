"use client";

import { Ellipsis, MessageSquareOff, MessageSquareQuote, RefreshCw, Trash2, UserRound } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import type { KeyView } from "../../lib/protocol/api-key.ts";
import { useSpaceName } from "../team/me.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { iconButtonClass } from "../ui/button.tsx";
import { Badge } from "../ui/chip.tsx";
import { Ago, useClock } from "../ui/clock.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { Row } from "../ui/page.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { keyState } from "./key-state.ts";

type Props = {
  apiKey: KeyView;
  /** Whether it belongs to this person, alone or with others: only they may receive its secret. */
  isOwn: boolean;
  onRotate: () => void;
  onReport: () => void;
  onGive: () => void;
  onRevoke: () => void;
};

/** Whose key it is: one person's, or that of the people responsible for it. */
const peopleOf = ({ owner_name, responsible }: KeyView) => owner_name ?? responsible.map(({ name }) => name).join(", ");

/** A key: whose it is, where it asks, when it was last used, and when it stops working. */
export function KeyRow({ apiKey: key, isOwn, onRotate, onReport, onGive, onRevoke }: Props) {
  const t = useTranslations("keys");
  const format = useFormatter();
  const spaceName = useSpaceName();
  const clock = useClock(60_000);
  const state = keyState(key, clock);
  const isOver = state === "expired" || state === "revoked";
  const ReportIcon = key.can_report ? MessageSquareOff : MessageSquareQuote;
  const until = key.expires_at && format.dateTime(new Date(key.expires_at), { dateStyle: "medium" });
  const facts = [
    key.agent !== null && <VisibleText key="agent">{key.agent}</VisibleText>,
    key.space_id !== null && <span key="space">{spaceName(key.space_id)}</span>,
    !(isOwn && key.owner_id !== null) && <VisibleText key="owner">{peopleOf(key)}</VisibleText>,
    <span key="used">
      {key.used_at === null
        ? t("neverUsed")
        : t.rich("used", { time: () => <Ago key="time" at={key.used_at ?? ""} /> })}
    </span>,
    !isOver && <span key="until">{until ? t("until", { date: until }) : t("forever")}</span>,
  ].filter((fact) => fact !== false);
  return (
    <Row
      icon={<Avatar name={key.agent ?? peopleOf(key)} kind={key.kind === "agent" ? "agent" : "person"} size="lg" />}
      isQuiet={isOver}
      title={
        <>
          <VisibleText>{key.name}</VisibleText>
          <code className="font-mono text-xs font-normal text-subtle">{key.hint}</code>
          {key.can_report && !isOver && <Badge>{t("reports")}</Badge>}
          {state === "ending" && <Badge tone="warning">{t("ending")}</Badge>}
          {state === "expired" && <Badge>{t("expired")}</Badge>}
          {state === "revoked" && <Badge>{t("revoked")}</Badge>}
        </>
      }
      facts={
        <span className="[&>*]:inline-block [&>*:not(:last-child)]:after:mx-1.5 [&>*:not(:last-child)]:after:content-['·']">
          {facts.map((fact, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the facts of a key have a fixed order.
            <span key={index}>{fact}</span>
          ))}
        </span>
      }
    >
      {!isOver && (
        <Menu
          trigger={
            <button type="button" className={iconButtonClass()} aria-label={t("actions", { name: key.name })}>
              <Ellipsis size={16} aria-hidden />
            </button>
          }
        >
          {isOwn && (
            <MenuItem icon={<RefreshCw size={14} aria-hidden />} onSelect={onRotate}>
              {t("rotateMenu")}
            </MenuItem>
          )}
          {key.kind === "agent" && (
            <>
              <MenuItem icon={<ReportIcon size={14} aria-hidden />} onSelect={onReport}>
                {t(key.can_report ? "reportOff" : "reportOn")}
              </MenuItem>
              <MenuItem icon={<UserRound size={14} aria-hidden />} onSelect={onGive}>
                {t("giveMenu")}
              </MenuItem>
            </>
          )}
          <MenuItem icon={<Trash2 size={14} aria-hidden />} isDanger onSelect={onRevoke}>
            {t("revokeMenu")}
          </MenuItem>
        </Menu>
      )}
    </Row>
  );
}
