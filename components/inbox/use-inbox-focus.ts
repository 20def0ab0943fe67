"use client";

import { type RefObject, useEffect, useEffectEvent, useReducer, useRef } from "react";
import { type Stop, stopAt } from "./inbox-entries.ts";
import type { RowsHandle } from "./inbox-rows.tsx";

type Options = {
  at: string | undefined;
  stops: readonly Stop[];
  rows: RefObject<RowsHandle | null>;
  /** Of the question, where it takes the place of the list. */
  heading: RefObject<HTMLHeadingElement | null>;
};

/** Keeps the focus where the person is: on the row of the question, or on the question where it replaces the list. */
export function useInboxFocus({ at, stops, rows, heading }: Options) {
  const previous = useRef(at);
  /** The entry to focus once the page shows what follows an answer. */
  const next = useRef<number>(undefined);
  const move = useEffectEvent((from: string | undefined) => {
    const isLost = isFocusLost();
    const wanted = next.current;
    next.current = undefined;
    if (!isLost && wanted === undefined) return;
    const isNarrow = !window.matchMedia("(min-width: 48rem)").matches;
    if (at !== undefined && isNarrow) heading.current?.focus();
    else if (wanted !== undefined) rows.current?.show(wanted, "focus");
    // Back on the list, on the row that the person came from.
    else if (at === undefined && isNarrow) rows.current?.show(stops[stopAt(stops, from)]?.entry ?? 0, "focus");
  });
  useEffect(() => {
    const from = previous.current;
    previous.current = at;
    if (from !== at) move(from);
  }, [at]);
  const [lost, restore] = useReducer((times: number) => times + 1, 0);
  const find = useEffectEvent(() => {
    if (isFocusLost()) rows.current?.show(stops[Math.max(stopAt(stops, at), 0)]?.entry ?? 0, "focus");
  });
  useEffect(() => {
    if (lost === 0) return;
    // After a dialog has given the focus back, if what opened it is still there.
    const timer = setTimeout(() => find());
    return () => clearTimeout(timer);
  }, [lost]);
  return {
    /** Call when what had the focus disappears: it goes to the row of the question. */
    restore,
    /** Call before the question after an answered one is selected. */
    afterAnswer: (entry: number) => {
      next.current = entry;
    },
  };
}

function isFocusLost(): boolean {
  return document.activeElement === document.body || document.activeElement === null;
}
