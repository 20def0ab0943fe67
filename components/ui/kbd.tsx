"use client";

import { usePrintedKeys } from "./printed-keys.ts";

const TONES = {
  plain: "border-line bg-raised text-subtle",
  /** On a filled button. */
  filled: "border-transparent text-inherit",
} as const;

/** A key, as printed next to what it does. Hidden on touch screens, where there is none. */
export function Kbd({
  children,
  tone = "plain",
  className = "",
}: {
  children: string;
  tone?: keyof typeof TONES;
  className?: string;
}) {
  const printed = usePrintedKeys();
  return (
    <kbd
      aria-hidden
      className={`inline-flex h-4.5 min-w-4.5 shrink-0 items-center justify-center rounded-sm border px-1 font-sans text-[0.6875rem] leading-none font-medium pointer-coarse:hidden ${TONES[tone]} ${className}`}
    >
      {printed(children.length === 1 ? children.toUpperCase() : children)}
    </kbd>
  );
}
