"use client";

import * as Radix from "@radix-ui/react-tabs";
import type { ReactNode } from "react";

export type Tab<Value extends string> = { value: Value; label: ReactNode; count?: number };

/** Tabs with their panel. The arrow keys move between them. Where the row is too narrow for them, they wrap. */
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
      <Radix.List aria-label={label} className="flex flex-wrap gap-x-4 gap-y-2 border-line sm:border-b max-sm:gap-x-2">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="flex h-8 shrink-0 items-center gap-1.5 text-sm font-medium text-muted hover:text-ink data-[state=active]:text-ink pointer-coarse:h-11 max-sm:rounded-full max-sm:border max-sm:border-line max-sm:px-3 max-sm:data-[state=active]:border-accent max-sm:data-[state=active]:bg-chosen sm:-mb-px sm:h-9 sm:border-b-2 sm:border-transparent sm:px-0.5 sm:data-[state=active]:border-accent forced-colors:border-[Canvas] forced-colors:data-[state=active]:border-[Highlight]"
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
