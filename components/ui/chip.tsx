"use client";

import { X } from "lucide-react";
import type { ReactNode } from "react";

/** A filter in force, with a button that removes it. */
export function FilterChip({
  children,
  removeLabel,
  onRemove,
}: {
  children: ReactNode;
  removeLabel: string;
  onRemove: () => void;
}) {
  return (
    <span className="inline-flex h-6 max-w-full items-center rounded-md border border-line bg-sunken pl-2 text-xs text-ink pointer-coarse:h-11">
      <span className="min-w-0 truncate">{children}</span>
      <button
        type="button"
        aria-label={removeLabel}
        className="ml-1 flex h-full w-6 items-center justify-center rounded-r-md text-subtle hover:bg-pressed hover:text-ink pointer-coarse:w-11"
        onClick={onRemove}
      >
        <X size={12} aria-hidden />
      </button>
    </span>
  );
}

const TONES = {
  neutral: "bg-sunken text-muted",
  accent: "bg-chosen text-accent",
  good: "bg-good-fill text-good",
  warning: "bg-warning-fill text-warning",
  danger: "bg-danger-fill text-danger",
  info: "bg-info-fill text-info",
} as const;

/** A short fact about something: its state, its kind, a count. */
export function Badge({ tone = "neutral", children }: { tone?: keyof typeof TONES; children: ReactNode }) {
  return (
    <span
      className={`inline-flex h-5 shrink-0 items-center gap-1 rounded-sm border border-transparent px-1.5 text-xs font-medium whitespace-nowrap ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}
