"use client";

import { lazy, Suspense } from "react";

/** Loaded when it is first needed: lists and forms come without it. */
const Rendered = lazy(() => import("./markdown-rendered.tsx"));

/** What an agent wrote, as markdown that can neither run nor load anything. */
export function Markdown({ text, isStreaming = false }: { text: string; isStreaming?: boolean }) {
  return (
    <Suspense fallback={<div className="prose whitespace-pre-wrap">{text}</div>}>
      <Rendered text={text} isStreaming={isStreaming} />
    </Suspense>
  );
}
