"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useId, useRef } from "react";

/** The dialog that is open, if any: while it is, nothing else on the page can be reached. */
export function openDialog(): HTMLDialogElement | undefined {
  return document.querySelector<HTMLDialogElement>("dialog[open]") ?? undefined;
}

/** The browser's own dialog: it keeps the focus, closes with Esc and gives the focus back. */
export function Dialog({
  title,
  onClose,
  children,
  className = "",
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
  className?: string;
}) {
  const t = useTranslations("dialog");
  const ref = useRef<HTMLDialogElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog?.open) dialog?.showModal();
    // The browser would focus the close button.
    body.current?.querySelector<HTMLElement>("select, input, textarea, button")?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onClose={onClose}
      className={`w-full rounded-xl border border-line bg-page p-0 text-ink shadow-xl ${className}`}
    >
      <header className="flex items-center justify-between gap-4 border-b border-line px-5 py-3">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        <button type="button" className="button-plain" onClick={() => ref.current?.close()} aria-label={t("close")}>
          <X size={18} aria-hidden />
        </button>
      </header>
      <div className="p-5" ref={body}>
        {children}
      </div>
    </dialog>
  );
}
