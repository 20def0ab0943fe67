"use client";

import * as Radix from "@radix-ui/react-tabs";
import type { ReactNode } from "react";

export type Tab<Value extends string> = { value: Value; label: ReactNode; count?: number };

/** Tabs with their panel. The arrow keys move between them. */
export function Tabs<Value extends string>({
  label,
  value,
  onChange,
  tabs,
  children,
}: {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  tabs: ReadonlyArray<Tab<Value>>;
  /** The panel of the chosen tab. */
  children: ReactNode;
}) {
  const choose = (chosen: string) => {
    const tab = tabs.find((each) => each.value === chosen);
    if (tab) onChange(tab.value);
  };
  return (
    <Radix.Root value={value} onValueChange={choose}>
      <Radix.List aria-label={label} className="flex gap-4 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px flex h-9 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-0.5 text-sm font-medium text-muted hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink forced-colors:border-[Canvas] forced-colors:data-[state=active]:border-[Highlight] pointer-coarse:h-11"
          >
            {tab.label}
            {tab.count !== undefined && <span className="text-xs text-subtle tabular-nums">{tab.count}</span>}
          </Radix.Trigger>
        ))}
      </Radix.List>
      <Radix.Content value={value}>{children}</Radix.Content>
    </Radix.Root>
  );
}
