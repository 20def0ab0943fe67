"use client";

import { useEffect, useState } from "react";
import type { Line } from "./highlight.ts";

/** The lines of a text, highlighted once its language has loaded. */
export function useHighlighted(text: string, language: string): Line[] | undefined {
  const [found, setFound] = useState<{ text: string; lines: Line[] }>();
  useEffect(() => {
    let isCurrent = true;
    if (language) {
      import("./highlight.ts")
        .then(({ highlight }) => highlight(text, language))
        .then(
          (lines) => isCurrent && lines && lines.length > 0 && setFound({ text, lines }),
          () => {},
        );
    }
    return () => {
      isCurrent = false;
    };
  }, [text, language]);
  return found?.text === text ? found.lines : undefined;
}
