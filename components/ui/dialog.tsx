"use client";

import * as Radix from "@radix-ui/react-dialog";
import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useRef, useState } from "react";
import { iconButtonClass } from "./button.tsx";
import "./nonce.ts";

const WIDTHS = { sm: "max-w-md", md: "max-w-2xl", lg: "max-w-4xl" } as const;

type Props = {
  title: string;
  /** One sentence below the title. */
  description?: string;
  size?: keyof typeof WIDTHS;
  /**
   * Nobody asked for the dialog, and it cannot be closed: it has no close button, and Esc does nothing. The person may have
   * been typing, so no field or button in it gets the focus by itself.
   */
  isRequired?: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** A modal dialog. It is open while it is rendered, keeps the focus inside, closes with Esc and gives the focus back. */
export function Dialog({ title, description, size = "md", isRequired = false, onClose, children }: Props) {
  const t = useTranslations("dialog");
  const content = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const [opener] = useState(() => document.activeElement);
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-black/40" />
        <Radix.Content
          ref={content}
          data-dialog
          {...(!description && { "aria-describedby": undefined })}
          className={`fixed top-1/2 left-1/2 z-40 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col rounded-xl border border-line bg-overlay text-ink shadow-lg outline-none ${WIDTHS[size]}`}
          onCloseAutoFocus={(event) => {
            // Radix would look for a trigger, which these dialogs do not have. If the focus has already moved, it stays
            // there.
            event.preventDefault();
            const isLost = document.activeElement === document.body || document.activeElement === null;
            if (isLost && opener instanceof HTMLElement) opener.focus();
          }}
          onOpenAutoFocus={(event) => {
            // Radix would focus the close button.
            event.preventDefault();
            if (isRequired) return content.current?.focus();
            const find = (selector: string) => body.current?.querySelector<HTMLElement>(selector);
            const first = find("[data-autofocus]") ?? find("select, input, textarea, button, [role=combobox]");
            (first ?? content.current)?.focus();
          }}
        >
          <header className="flex items-start justify-between gap-4 px-5 pt-4 pb-2">
            <div className="min-w-0">
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              {description && (
                <Radix.Description className="mt-0.5 text-sm text-muted">{description}</Radix.Description>
              )}
            </div>
            {/* Without a tooltip: while one is open, Esc closes only the tooltip. */}
            {!isRequired && (
              <Radix.Close aria-label={t("close")} className={`${iconButtonClass()} -mt-0.5 -mr-2`}>
                <X size={16} aria-hidden />
              </Radix.Close>
            )}
          </header>
          <div className="relative min-h-0 overflow-y-auto px-5 pt-1 pb-5" ref={body}>
            {children}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
