"use client";

import { Search, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { useKeys } from "../keyboard/use-keys.ts";
import { Kbd } from "../ui/kbd.tsx";

const PAUSE_MS = 200;

/** Searches the list as the person types. `/` goes there; Enter and the down arrow go to the results. */
export function SearchField({
  q,
  onSearch,
  onLeave,
}: {
  q: string;
  onSearch: (q: string) => void;
  /** The person goes on to the results. */
  onLeave: () => void;
}) {
  const t = useTranslations("inbox");
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [text, setText] = useState(q);
  /** The search as this field knows it: it may also change elsewhere, for example when all filters are cleared. */
  const known = useRef(q);
  useEffect(() => {
    if (known.current === q) return;
    known.current = q;
    setText(q);
  }, [q]);
  const search = (value: string, wait = PAUSE_MS) => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      known.current = value;
      onSearch(value);
    }, wait);
  };
  useKeys({ "/": () => field.current?.focus() }, { inForms: ["/"] });
  return (
    <div className="relative">
      <Search
        size={14}
        className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-subtle"
        aria-hidden
      />
      <input
        ref={field}
        type="search"
        aria-label={t("search")}
        aria-keyshortcuts="/"
        placeholder={t("searchHint")}
        maxLength={200}
        value={text}
        className="peer h-8 w-full rounded-md border border-line bg-raised pr-8 pl-8 text-sm hover:border-field focus:bg-page pointer-coarse:h-11 pointer-coarse:text-lg [&::-webkit-search-cancel-button]:hidden"
        onChange={(event) => search(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Escape" && text === "") field.current?.blur();
          if (event.key === "Escape") search("", 0);
          if (event.key !== "Enter" && event.key !== "ArrowDown") return;
          event.preventDefault();
          onLeave();
        }}
      />
      {text === "" ? (
        <Kbd className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 peer-focus:hidden">/</Kbd>
      ) : (
        <button
          type="button"
          aria-label={t("clearSearch")}
          className="absolute inset-y-0 right-0 flex w-8 items-center justify-center rounded-md text-subtle hover:text-ink pointer-coarse:w-11"
          onClick={() => {
            search("", 0);
            field.current?.focus();
          }}
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </div>
  );
}
