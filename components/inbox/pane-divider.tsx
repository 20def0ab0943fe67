"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useState } from "react";
import { listWidth, setListWidth } from "../preferences/preferences.ts";

const MIN_WIDTH = 288;
/** The card keeps the rest. */
const MAX_PART = 0.6;
const STEP = 16;
/** The usual width is in inbox.tsx. */
const VARIABLE = "--chosen";

type Props = {
  /** The element that holds the list and the card. */
  panes: RefObject<HTMLElement | null>;
  /** The id of the list. */
  list: string;
};

/** The line between the list and the card, on a wide screen: it moves with the pointer and the arrow keys. */
export function PaneDivider({ panes, list }: Props) {
  const t = useTranslations("inbox");
  /** Of the list as it is now. */
  const [width, setWidth] = useState(MIN_WIDTH);
  const max = () => Math.round((panes.current?.clientWidth ?? 0) * MAX_PART);
  const apply = (wanted: number | undefined) => {
    if (wanted === undefined) panes.current?.style.removeProperty(VARIABLE);
    else panes.current?.style.setProperty(VARIABLE, `${wanted}px`);
  };
  const choose = (wanted: number | undefined) => {
    const allowed = wanted === undefined ? undefined : Math.round(Math.max(MIN_WIDTH, Math.min(wanted, max())));
    apply(allowed);
    setListWidth(allowed);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; inline styles cannot be part of a page from the server.
  useEffect(() => {
    apply(listWidth());
    const element = document.getElementById(list);
    const observer = new ResizeObserver(() => setWidth(Math.round(element?.offsetWidth ?? MIN_WIDTH)));
    if (element) observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const drag = (event: PointerEvent<HTMLElement>) => {
    const left = panes.current?.getBoundingClientRect().left ?? 0;
    if (event.currentTarget.hasPointerCapture(event.pointerId)) choose(event.clientX - left);
  };
  const move = (event: KeyboardEvent) => {
    const places: Record<string, () => number | undefined> = {
      ArrowLeft: () => width - STEP,
      ArrowRight: () => width + STEP,
      Home: () => MIN_WIDTH,
      End: max,
      Enter: () => undefined,
    };
    const place = places[event.key];
    if (!place) return;
    event.preventDefault();
    choose(place());
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: <hr> cannot be focused and moved.
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={t("listWidth")}
      aria-controls={list}
      aria-valuenow={width}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={Math.max(MIN_WIDTH, max())}
      tabIndex={0}
      title={t("listWidthHint")}
      className="absolute inset-y-0 left-[calc(var(--list)-5px)] z-10 hidden w-2.5 cursor-col-resize touch-none after:absolute after:inset-y-0 after:left-1/2 after:w-0.5 after:-translate-x-1/2 hover:after:bg-accent focus-visible:outline-none focus-visible:after:w-1 focus-visible:after:bg-accent active:after:bg-accent lg:block forced-colors:focus-visible:after:bg-[Highlight]"
      onPointerDown={(event) => {
        if (event.button === 0) event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={drag}
      onDoubleClick={() => choose(undefined)}
      onKeyDown={move}
    />
  );
}
