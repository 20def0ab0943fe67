"use client";

import * as Radix from "@radix-ui/react-popover";
import type { ReactNode } from "react";

/** A small panel next to its button. The page stays usable. */
export function Popover({
  trigger,
  label,
  align = "start",
  isOpen,
  onOpenChange,
  children,
}: {
  trigger: ReactNode;
  /** The name of the panel for assistive technology. */
  label: string;
  align?: "start" | "end";
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  children: ReactNode;
}) {
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          data-menu
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-(--radix-popover-content-available-height) w-72 max-w-[calc(100vw-1rem)] animate-appear overflow-y-auto rounded-lg border border-line bg-overlay p-3 text-ink shadow-md outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
