"use client";

import { useTranslations } from "next-intl";
import { type ComponentType, lazy, Suspense, useMemo, useState, useSyncExternalStore } from "react";
import { isLightMarkdown } from "./markdown-weight.ts";

type Props = { text: string; isStreaming?: boolean };

/** Loaded on first use; lists and forms do without it. */
const Lazy = lazy(() => import("./markdown-rendered.tsx"));
let loaded: ComponentType<Required<Props>> | undefined;

/** Loads what renders markdown. From then on it takes its final height at once. Without a connection, text stays plain. */
export async function loadMarkdown(): Promise<void> {
  loaded ??= await import("./markdown-rendered.tsx").then(
    (module) => module.default,
    () => undefined,
  );
}

const nothing = () => () => {};

/**
 * An agent's text as markdown that can neither run nor load anything. Only browsers render it: the server has one thread
 * for everyone, and a page of markdown would block it.
 */
export function Markdown({ text, isStreaming = false }: Props) {
  const t = useTranslations("thread");
  const isBrowser = useSyncExternalStore(
    nothing,
    () => true,
    () => false,
  );
  const [Rendered] = useState(() => loaded ?? Lazy);
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
