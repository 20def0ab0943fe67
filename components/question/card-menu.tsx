"use client";

import { Braces, Ellipsis, GitFork, ListTree, MessageSquareReply, RotateCcw, StickyNote, UserPlus } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { iconButtonClass } from "../ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { retrying } from "../ui/retrying.ts";

const AuditDialog = dynamic(retrying(async () => (await import("./audit-dialog.tsx")).AuditDialog));
const RawDialog = dynamic(retrying(async () => (await import("./raw-dialog.tsx")).RawDialog));

export type CardMenuProps = {
  ask: AskView;
  onNote?: (() => void) | undefined;
  onReply?: (() => void) | undefined;
  onAssign?: (() => void) | undefined;
  onReopen?: (() => void) | undefined;
  onBranch?: (() => void) | undefined;
};

/** Everything that can be done with an ask besides answering it. */
export function CardMenu({ ask, onNote, onReply, onAssign, onReopen, onBranch }: CardMenuProps) {
  const t = useTranslations("card");
  const [dialog, setDialog] = useState<"audit" | "raw">();
  const close = () => setDialog(undefined);
  return (
    <>
      <Menu
        trigger={
          <button type="button" className={iconButtonClass({ size: "sm" })} aria-label={t("menu")}>
            <Ellipsis size={16} aria-hidden />
          </button>
        }
      >
        {onNote && (
          <MenuItem icon={<StickyNote size={14} aria-hidden />} onSelect={onNote}>
            {t("addNote")}
          </MenuItem>
        )}
        {onReply && (
          <MenuItem icon={<MessageSquareReply size={14} aria-hidden />} shortcut="R" onSelect={onReply}>
            {t("replyInWords")}
          </MenuItem>
        )}
        {onAssign && (
          <MenuItem icon={<UserPlus size={14} aria-hidden />} shortcut="A" onSelect={onAssign}>
            {t("assign")}
          </MenuItem>
        )}
        {onReopen && (
          <MenuItem icon={<RotateCcw size={14} aria-hidden />} onSelect={onReopen}>
            {t("reopen")}
          </MenuItem>
        )}
        {onBranch && (
          <MenuItem icon={<GitFork size={14} aria-hidden />} onSelect={onBranch}>
            {t("branch")}
          </MenuItem>
        )}
        {(onNote || onReply || onAssign || onReopen || onBranch) && <MenuSeparator />}
        <MenuItem icon={<Braces size={14} aria-hidden />} onSelect={() => setDialog("raw")}>
          {t("raw")}
        </MenuItem>
        <MenuItem icon={<ListTree size={14} aria-hidden />} onSelect={() => setDialog("audit")}>
          {t("audit")}
        </MenuItem>
      </Menu>
      {dialog === "audit" && <AuditDialog ask={ask} onClose={close} />}
      {dialog === "raw" && <RawDialog ask={ask} onClose={close} />}
    </>
  );
}
