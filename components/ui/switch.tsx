"use client";

import * as Radix from "@radix-ui/react-switch";
import { useId } from "react";

/** A setting that is on or off, effective at once. */
export function Switch({
  label,
  hint,
  isOn,
  onChange,
}: {
  label: string;
  hint?: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="flex min-h-8 items-center justify-between gap-4 pointer-coarse:min-h-11">
      <label htmlFor={id} className="min-w-0 cursor-pointer">
        <span className="block text-sm">{label}</span>
        {hint && <span className="block text-xs text-subtle">{hint}</span>}
      </label>
      <Radix.Root
        id={id}
        checked={isOn}
        onCheckedChange={onChange}
        className="group relative h-5 w-9 shrink-0 rounded-full border border-field bg-sunken transition-colors data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Radix.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-field transition-transform data-[state=checked]:translate-x-4.5 data-[state=checked]:bg-on-accent" />
      </Radix.Root>
    </div>
  );
}
