"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { Holding } from "../team/use-holding.ts";
import { retrying } from "../ui/retrying.ts";
import type { Draft } from "./draft.ts";
import { draftText } from "./draft-text.ts";

const DismissDialog = dynamic(retrying(async () => (await import("./dismiss-dialog.tsx")).DismissDialog));
const PersonPicker = dynamic(retrying(async () => (await import("../team/person-picker.tsx")).PersonPicker));
const ConfirmDialog = dynamic(retrying(async () => (await import("./confirm-dialog.tsx")).ConfirmDialog));

export type CardDialog = "dismiss" | "confirm" | "assign";

type Props = {
  dialog: CardDialog | undefined;
  ask: AskView;
  draft: Draft;
  /** Someone else was first. */
  isTooLate: boolean;
  onClose: () => void;
  onDismiss: (reason: string) => void;
  onAssign: (person: Parameters<Holding["assign"]>[1]) => void;
  onConfirm: () => void;
};

/** What an open card asks about before it acts: a reason, a person, or whether the answer is meant. */
export function CardDialogs({ dialog, ask, draft, isTooLate, onClose, onDismiss, onAssign, onConfirm }: Props) {
  const t = useTranslations("card");
  switch (dialog) {
    case "dismiss":
      return <DismissDialog isTooLate={isTooLate} onClose={onClose} onDismiss={onDismiss} />;
    case "assign":
      return <PersonPicker count={1} onClose={onClose} onPick={onAssign} />;
    case "confirm":
      return (
        <ConfirmDialog
          question={ask.questions[0]?.text ?? ""}
          answer={draftText(ask.questions, draft, t)}
          isTooLate={isTooLate}
          onClose={onClose}
          onConfirm={onConfirm}
        />
      );
    default:
      return null;
  }
}
