"use client";

import { CircleHelp } from "lucide-react";
import { useTranslations } from "next-intl";
import { type RefObject, useEffect, useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { Countdown } from "../question/countdown.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { VisibleText } from "../ui/visible-text.tsx";

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
      className="flex min-h-9 w-full items-center justify-center gap-3 border-t border-line bg-chosen px-4 py-1.5 text-sm pointer-coarse:min-h-11"
    >
      <CircleHelp size={16} className="shrink-0 text-accent" aria-hidden />
      <span className="shrink-0 font-medium">{t("waiting", { count: asks.length })}</span>
      <span className="hidden min-w-0 truncate text-muted sm:inline" dir="auto">
        <VisibleText>{first.questions[0]?.text ?? ""}</VisibleText>
      </span>
      <Countdown ask={first} />
      <span className="flex shrink-0 items-center gap-1.5 font-medium text-accent">
        {t("jump")} <Kbd>Q</Kbd>
      </span>
    </button>
  );
}
