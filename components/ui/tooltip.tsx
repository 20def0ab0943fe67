"use client";

import * as Radix from "@radix-ui/react-tooltip";
import type { ReactNode } from "react";
import { Kbd } from "./kbd.tsx";

/**
 * Names a control on hover and focus. It must never be the only place that says something, because touch screens have no
 * hover.
 */
export function Tooltip({ label, shortcut, children }: { label: string; shortcut?: string; children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={500}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            sideOffset={6}
            collisionPadding={8}
            className="z-50 flex max-w-64 animate-appear items-center gap-2 rounded-md border border-line bg-overlay px-2 py-1 text-xs text-ink shadow-md"
          >
            {label}
            {shortcut && <Kbd>{shortcut}</Kbd>}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
