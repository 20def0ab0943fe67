"use client";

import { Check, ChevronDown, ChevronUp, CircleAlert, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button, iconButtonClass } from "../ui/button.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import type { Receipt } from "./held-answers.ts";
import { SendsIn } from "./sends-in.tsx";

type Props = { receipts: readonly Receipt[]; onUndo: (inbox_item_id: string) => void; onClose: () => void };

/**
 * What the person answered last, the latest in one line and the others behind a button. It is part of the page instead of
 * lying on it, and stays after the answer was sent, so that it never covers a button and moves nothing when it changes.
 */
export function Receipts({ receipts, onUndo, onClose }: Props) {
  const t = useTranslations("undo");
  const [isOpen, setOpen] = useState(false);
  const Chevron = isOpen ? ChevronDown : ChevronUp;
  const [latest] = receipts;
  if (!latest) return null;
  const shown = isOpen ? [...receipts].reverse() : [latest];
  return (
    <section aria-label={t("receipts")} data-testid="receipts" className="flex border-t border-line bg-raised pr-2">
      <ul className="min-w-0 flex-1">
        {shown.map((receipt) => (
          <Line
            key={receipt.held.key + receipt.held.until}
            receipt={receipt}
            isLatest={receipt === latest}
            onUndo={() => onUndo(receipt.held.inbox_item_id)}
          />
        ))}
      </ul>
      <span className="flex items-center self-end py-1">
        {receipts.length > 1 && (
          <button
            type="button"
            className={iconButtonClass({ size: "sm" })}
            aria-expanded={isOpen}
            aria-label={t("earlier")}
            onClick={() => setOpen(!isOpen)}
          >
            <Chevron size={16} aria-hidden />
          </button>
        )}
        <button type="button" className={iconButtonClass({ size: "sm" })} aria-label={t("hide")} onClick={onClose}>
          <X size={16} aria-hidden />
        </button>
      </span>
    </section>
  );
}

function Line({ receipt, isLatest, onUndo }: { receipt: Receipt; isLatest: boolean; onUndo: () => void }) {
  const t = useTranslations("undo");
  const { held, state } = receipt;
  return (
    <li className="flex min-h-9 items-center gap-3 px-2 text-sm pointer-coarse:min-h-13">
      {/* On the side that is away from Submit. Its place stays when it is gone. */}
      <span className="flex w-20 shrink-0 justify-center">
        {state === "waiting" && (
          <Button size="sm" onClick={onUndo}>
            {t("undo")} {isLatest && <Kbd className="pointer-coarse:hidden">U</Kbd>}
          </Button>
        )}
        {state === "sent" && <Check size={16} className="text-good" aria-hidden />}
        {state === "unsent" && <CircleAlert size={16} className="text-danger" aria-hidden />}
      </span>
      <span className="min-w-0 flex-1 sm:flex sm:items-center sm:gap-3">
        <span className="block min-w-0 flex-1 truncate" dir="auto">
          <strong className="font-medium">
            <VisibleText>{held.answer}</VisibleText>
          </strong>{" "}
          <span aria-hidden className="text-subtle">
            →
          </span>{" "}
          <span className="text-muted">
            <VisibleText>{held.question}</VisibleText>
          </span>
        </span>
        <span className={`block text-xs tabular-nums ${state === "unsent" ? "text-danger" : "text-subtle"}`}>
          {state === "waiting" || state === "sending" ? <SendsIn held={{ state, until: held.until }} /> : t(state)}
        </span>
      </span>
    </li>
  );
}
