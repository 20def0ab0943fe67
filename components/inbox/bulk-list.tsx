"use client";

import { type ReactNode, useRef } from "react";
import { Virtualizer } from "virtua";

/** A list of any length in a dialog. Only the lines in view are in the DOM. */
export function BulkList({ children }: { children: ReactNode[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  return (
    <div ref={scroller} className="max-h-52 overflow-y-auto rounded-md border border-line text-sm">
      <Virtualizer as="ul" item="li" scrollRef={scroller} itemSize={36}>
        {children}
      </Virtualizer>
    </div>
  );
}
