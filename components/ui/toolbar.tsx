"use client";

import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from "react";

/** Buttons in a row that are one stop for Tab; the left and right arrow keys move between them. */
export function Toolbar({ label, children }: { label: string; children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null);
  const current = useRef<HTMLButtonElement>(null);
  const buttons = () => [...(bar.current?.querySelectorAll<HTMLButtonElement>(":scope > button") ?? [])];
  const stopAt = (wanted: HTMLButtonElement | undefined) => {
    current.current = wanted ?? null;
    for (const button of buttons()) button.tabIndex = button === wanted ? 0 : -1;
  };
  useLayoutEffect(() => {
    const all = buttons();
    stopAt(all.find((button) => button === current.current) ?? all[0]);
  });
  const move = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const all = buttons();
    const from = all.indexOf(event.target as HTMLButtonElement);
    if (by === undefined || from < 0) return;
    event.preventDefault();
    all[(from + by + all.length) % all.length]?.focus();
  };
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={label}
      className="flex items-center"
      onKeyDown={move}
      onFocus={({ target }) => {
        if (target instanceof HTMLButtonElement && buttons().includes(target)) stopAt(target);
      }}
    >
      {children}
    </div>
  );
}
