"use client";

import { Search, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { type RefObject, useEffect, useRef, useState } from "react";
import { Kbd } from "./kbd.tsx";

/** How long after the last letter the search runs. */
const PAUSE_MS = 200;

type Props = {
  ref?: RefObject<HTMLInputElement | null>;
  label: string;
  /** What can be found. */
  hint?: string;
  /** The search in force. It may also change elsewhere, for example when all filters are cleared. */
  q: string;
  onSearch: (q: string) => void;
  /** Moves the focus to the results. */
  onLeave: () => void;
  className?: string;
};

/** Searches a list as the person types. `/` goes to the field with `data-search`, Esc clears it; Enter, the down arrow and another Esc go to the results. */
export function SearchField({ ref, label, hint = label, q, onSearch, onLeave, className = "" }: Props) {
  const t = useTranslations("search");
  const own = useRef<HTMLInputElement>(null);
  const field = ref ?? own;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [text, setText] = useState(q);
  const known = useRef(q);
  useEffect(() => {
    if (known.current === q) return;
    known.current = q;
    setText(q);
  }, [q]);
  const onLatest = useRef(onSearch);
  useEffect(() => {
    onLatest.current = onSearch;
  });
  const search = (value: string, wait = PAUSE_MS) => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      known.current = value;
      onLatest.current(value);
    }, wait);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <span className={`relative flex items-center ${className}`}>
      <Search size={14} className="pointer-events-none absolute left-2.5 text-subtle" aria-hidden />
      <input
        ref={field}
        type="search"
        data-search
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={hint}
        maxLength={200}
        value={text}
        className="peer h-8 w-full min-w-0 appearance-none rounded-md border border-line bg-raised pr-8 pl-8 text-sm text-ellipsis hover:border-field focus:bg-page pointer-coarse:h-11 pointer-coarse:text-lg [&::-webkit-search-cancel-button]:hidden"
        onChange={(event) => search(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Escape" && text !== "") return search("", 0);
          if (!["Escape", "Enter", "ArrowDown"].includes(event.key)) return;
          event.preventDefault();
          onLeave();
        }}
      />
      {text === "" ? (
        <Kbd className="pointer-events-none absolute right-2 peer-focus:hidden">/</Kbd>
      ) : (
        <button
          type="button"
          aria-label={t("clear")}
          className="absolute right-0 flex h-full w-8 items-center justify-center rounded-md text-subtle hover:text-ink pointer-coarse:w-11"
          onClick={() => {
            search("", 0);
            field.current?.focus();
          }}
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </span>
  );
}
