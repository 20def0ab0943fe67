"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useId, useRef } from "react";

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
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog?.open) dialog?.showModal();
    // By itself it would choose the button that closes it.
    const body = dialog?.querySelector("[data-body]");
    const first = body?.querySelector<HTMLElement>("[data-question] :is(input, textarea)");
    (first ?? body?.querySelector<HTMLElement>("select, input, textarea, button"))?.focus();
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
      <div className="p-5" data-body>
        {children}
      </div>
    </dialog>
  );
}
