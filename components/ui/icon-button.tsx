"use client";

import { LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { type ButtonProps, iconButtonClass } from "./button.tsx";
import { Tooltip } from "./tooltip.tsx";

type IconButtonProps = Omit<ButtonProps, "children" | "aria-label"> & {
  /** What it does: the name for assistive technology, and the tooltip. */
  label: string;
  /** The key that does the same, shown in the tooltip. */
  shortcut?: string;
  children: ReactNode;
};

/** A square button with an icon only. */
export function IconButton({
  label,
  shortcut,
  variant,
  size,
  isBusy = false,
  className = "",
  children,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip label={label} shortcut={shortcut}>
      <button
        type="button"
        aria-label={label}
        aria-busy={isBusy || undefined}
        className={`${iconButtonClass({ variant, size })} ${className}`}
        {...rest}
      >
        {isBusy ? <LoaderCircle size={14} className="animate-spin" aria-hidden /> : children}
      </button>
    </Tooltip>
  );
}
