"use client";

import { Search, X } from "lucide-react";
import { useTranslations } from "next-intl";
import type { RefObject } from "react";
import { Kbd } from "./kbd.tsx";

/** A field to search a list with. Esc or the cross clears it. */
export function SearchField({
  ref,
  label,
  value,
  onChange,
  shortcut,
  className = "",
}: {
  ref?: RefObject<HTMLInputElement | null>;
  label: string;
  value: string;
  onChange: (value: string) => void;
  shortcut?: string;
  className?: string;
}) {
  const t = useTranslations("search");
  return (
    <span className={`relative flex items-center ${className}`}>
      <Search size={14} className="pointer-events-none absolute left-2.5 text-subtle" aria-hidden />
      <input
        ref={ref}
        type="search"
        value={value}
        maxLength={200}
        aria-label={label}
        placeholder={label}
        className="h-8 w-full min-w-0 appearance-none rounded-md border border-field bg-page pr-8 pl-8 text-lg sm:text-sm pointer-coarse:h-11 [&::-webkit-search-cancel-button]:hidden"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
          if (value) onChange("");
          else event.currentTarget.blur();
        }}
      />
      {value ? (
        <button
          type="button"
          aria-label={t("clear")}
          className="absolute right-0 flex h-full w-8 items-center justify-center rounded-md text-subtle hover:text-ink pointer-coarse:w-11"
          onClick={() => {
            onChange("");
            ref?.current?.focus();
          }}
        >
          <X size={14} aria-hidden />
        </button>
      ) : (
        shortcut && <Kbd className="pointer-events-none absolute right-2">{shortcut}</Kbd>
      )}
    </span>
  );
}
