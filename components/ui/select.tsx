"use client";

import * as Radix from "@radix-ui/react-select";
import { Check, ChevronsUpDown } from "lucide-react";
import type { ReactNode } from "react";
import { pageNonce } from "./nonce.ts";

/** Chooses one of a few values. */
export function Select<Value extends string>({
  label,
  value,
  onChange,
  options,
  className = "",
}: {
  /** The name for assistive technology; print a label next to it as well. */
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: ReadonlyArray<{ value: Value; label: ReactNode; lang?: string }>;
  className?: string;
}) {
  const choose = (chosen: string) => {
    const option = options.find((each) => each.value === chosen);
    if (option) onChange(option.value);
  };
  return (
    <Radix.Root value={value} onValueChange={choose}>
      <Radix.Trigger
        aria-label={label}
        className={`flex h-8 items-center justify-between gap-2 rounded-md border border-field bg-page px-2.5 text-sm hover:bg-hover pointer-coarse:h-11 ${className}`}
      >
        <span className="truncate">
          <Radix.Value />
        </span>
        <ChevronsUpDown size={14} className="shrink-0 text-subtle" aria-hidden />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          data-menu
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) animate-appear overflow-y-auto rounded-lg border border-line bg-overlay p-1 text-ink shadow-md"
        >
          <Radix.Viewport nonce={pageNonce()}>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                lang={option.lang}
                className="flex min-h-8 items-center gap-2 rounded-md py-1 pr-2 pl-7 text-sm outline-none select-none data-highlighted:bg-hover pointer-coarse:min-h-11"
              >
                <Radix.ItemIndicator className="absolute left-3">
                  <Check size={14} className="text-accent" aria-hidden />
                </Radix.ItemIndicator>
                <Radix.ItemText>{option.label}</Radix.ItemText>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
