"use client";

import { LoaderCircle } from "lucide-react";
import type { ComponentProps } from "react";
import { buttonClass, type Look } from "./button-class.ts";

export { buttonClass, iconButtonClass } from "./button-class.ts";

export type ButtonProps = ComponentProps<"button"> &
  Look & {
    /** Shows a spinner and ignores clicks, but keeps the focus. */
    isBusy?: boolean;
  };

export function Button({ variant, size, isBusy = false, className = "", children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      data-variant={variant ?? "secondary"}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      className={`${buttonClass({ variant, size })} ${className}`}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {isBusy && <LoaderCircle size={14} className="animate-spin" aria-hidden />}
      {children}
    </button>
  );
}
