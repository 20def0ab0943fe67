"use client";

import * as Radix from "@radix-ui/react-toggle-group";
import type { ReactNode } from "react";

/** Two to four choices side by side, of which one is chosen. */
export function Segmented<Value extends string>({
  label,
  value,
  onChange,
  choices,
  isWide = false,
}: {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  choices: ReadonlyArray<{ value: Value; label: ReactNode }>;
  /** Fills the row, each choice with an equal share of what is left. */
  isWide?: boolean;
}) {
  const choose = (chosen: string) => {
    const choice = choices.find((each) => each.value === chosen);
    if (choice) onChange(choice.value);
  };
  return (
    <Radix.Root
      type="single"
      aria-label={label}
      value={value}
      onValueChange={choose}
      className={`${isWide ? "flex" : "inline-flex"} shrink-0 rounded-md border border-line bg-sunken p-0.5 pointer-coarse:p-0`}
    >
      {choices.map((choice) => (
        <Radix.Item
          key={choice.value}
          value={choice.value}
          className={`${isWide ? "flex-auto justify-center px-1.5" : "px-2.5 max-[22.5rem]:px-2"} flex h-6.5 items-center gap-1.5 rounded-sm border border-transparent text-sm whitespace-nowrap text-muted hover:text-ink data-[state=on]:border-line data-[state=on]:bg-page data-[state=on]:font-medium data-[state=on]:text-ink data-[state=on]:shadow-sm forced-colors:border-[Canvas] forced-colors:data-[state=on]:border-[Highlight] pointer-coarse:h-11`}
        >
          {choice.label}
        </Radix.Item>
      ))}
    </Radix.Root>
  );
}
