"use client";

import { type RefObject, useEffect } from "react";
import { hitsIn, searchWords } from "../../lib/domain/views/search-text.ts";

const NAME = "hits";
/** Rows and cards, without what Parley itself says in them. */
const SEARCHED = "[data-item], article[data-kind]";
const NOT_SEARCHED = "button, textarea, kbd, time, .sr-only";

/**
 * Highlights the hits of a search in the rows and the card, as ranges of their text, so that nothing in them has to know of
 * the search. Browsers without highlights of ranges show none.
 */
export function useHits(place: RefObject<HTMLElement | null>, q: string): void {
  useEffect(() => {
    const words = searchWords(q);
    const root = place.current;
    if (words.length === 0 || !root || !("highlights" in CSS)) return;
    let frame = 0;
    const show = () => {
      const ranges = [...root.querySelectorAll(SEARCHED)].flatMap((element) => rangesIn(element, words));
      CSS.highlights.set(NAME, new Highlight(...ranges));
    };
    const later = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(show);
    };
    const observer = new MutationObserver(later);
    observer.observe(root, { childList: true, characterData: true, subtree: true });
    show();
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete(NAME);
    };
  }, [place, q]);
}

function rangesIn(element: Element, words: readonly string[]): Range[] {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const ranges: Range[] = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (node.parentElement?.closest(NOT_SEARCHED)) continue;
    for (const { from, to } of hitsIn(node.textContent ?? "", words)) {
      const range = new Range();
      range.setStart(node, from);
      range.setEnd(node, to);
      ranges.push(range);
    }
  }
  return ranges;
}
