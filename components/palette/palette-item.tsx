"use client";

import { Command } from "cmdk";
import type { ReactNode } from "react";

export function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-subtle"
    >
      {children}
    </Command.Group>
  );
}

type ItemProps = { value: string; icon: ReactNode; end?: ReactNode; onSelect: () => void; children: ReactNode };

export function Item({ value, icon, end, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-8 scroll-my-8 items-center gap-2.5 rounded-md border border-transparent px-2 text-sm select-none data-[selected=true]:bg-pressed forced-colors:border-[Canvas] forced-colors:data-[selected=true]:border-[Highlight] pointer-coarse:min-h-11"
    >
      <span className="flex w-4 shrink-0 justify-center text-subtle">{icon}</span>
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {children}
      </span>
      {end && <span className="flex max-w-[40%] shrink-0 items-center gap-1">{end}</span>}
    </Command.Item>
  );
}

export function Fact({ children }: { children: ReactNode }) {
  return (
    <span dir="auto" className="truncate text-xs text-subtle tabular-nums">
      {children}
    </span>
  );
}
