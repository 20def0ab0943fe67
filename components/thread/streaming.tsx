"use client";

import { Brain } from "lucide-react";
import { useTranslations } from "next-intl";
import { Markdown } from "../ui/markdown.tsx";
import { Entry } from "./message.tsx";

/** The block that the agent is writing. */
export function Streaming({ type, text }: { type: "text" | "thinking"; text: string }) {
  const t = useTranslations("thread");
  if (type === "text") {
    return (
      <div className="mt-3">
        <Entry kind="text" label={t("writing")}>
          <Markdown text={text} isStreaming />
        </Entry>
      </div>
    );
  }
  return (
    <div data-kind="thinking" className="mt-3 rounded-r-md px-3 pb-1 text-xs text-subtle">
      <p className="flex min-h-7 items-center gap-1.5">
        <Brain size={14} className="animate-pulse" aria-hidden />
        {t("thinking")}
      </p>
      <p className="line-clamp-3 whitespace-pre-wrap" dir="auto">
        {text}
      </p>
    </div>
  );
}
