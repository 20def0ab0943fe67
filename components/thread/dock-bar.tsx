"use client";

import { CircleHelp } from "lucide-react";
import { useTranslations } from "next-intl";
import { type RefObject, useEffect, useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { Countdown } from "../question/countdown.tsx";

/** Leads back to an open question that has scrolled out of view. */
export function DockBar({
  asks,
  scroller,
  onJump,
}: {
  asks: AskView[];
  scroller: RefObject<HTMLElement | null>;
  onJump: () => void;
}) {
  const t = useTranslations("thread");
  const [isOut, setOut] = useState(false);
  const names = asks.map((ask) => ask.tool_use_id).join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: other questions have other cards to observe.
  useEffect(() => {
    const cards = [...(scroller.current?.querySelectorAll("[data-status=pending]") ?? [])];
    const seen = new Set<Element>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) seen.add(target);
          else seen.delete(target);
        }
        setOut(cards.length > 0 && seen.size === 0);
      },
      { root: scroller.current },
    );
    for (const card of cards) observer.observe(card);
    if (cards.length === 0) setOut(false);
    return () => observer.disconnect();
  }, [names, scroller]);
  const [first] = asks;
  if (!isOut || !first) return null;
  return (
    <button
      type="button"
      onClick={onJump}
      className="flex min-h-10 w-full items-center justify-center gap-3 border-t border-line bg-chosen px-4 py-2 text-sm"
    >
      <CircleHelp size={16} className="text-kind-ask" aria-hidden />
      <span>{t("waiting", { count: asks.length })}</span>
      <Countdown ask={first} />
      <span className="font-medium text-accent">
        {t("jump")} <kbd aria-hidden>Q</kbd>
      </span>
    </button>
  );
}
