"use client";

import { useTranslations } from "next-intl";
import { lazy, Suspense, useMemo, useSyncExternalStore } from "react";
import { isLightMarkdown } from "./markdown-weight.ts";

/** Loaded on first use; lists and forms do without it. */
const Rendered = lazy(() => import("./markdown-rendered.tsx"));

const nothing = () => () => {};

/**
 * An agent's text as markdown that can neither run nor load anything. Only browsers render it: the server has one thread
 * for everyone, and a page of markdown would block it.
 */
export function Markdown({ text, isStreaming = false }: { text: string; isStreaming?: boolean }) {
  const t = useTranslations("thread");
  const isBrowser = useSyncExternalStore(
    nothing,
    () => true,
    () => false,
  );
  const isLight = useMemo(() => isLightMarkdown(text), [text]);
  const plain = <div className="prose whitespace-pre-wrap">{text}</div>;
  if (!isLight) {
    return (
      <>
        <p className="mb-2 text-xs text-muted">{t("plainText")}</p>
        {plain}
      </>
    );
  }
  if (!isBrowser) return plain;
  return (
    <Suspense fallback={plain}>
      <Rendered text={text} isStreaming={isStreaming} />
    </Suspense>
  );
}
