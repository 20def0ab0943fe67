"use client";

import { Brain, MessageSquare } from "lucide-react";
import { useTranslations } from "next-intl";
import { Markdown } from "../ui/markdown.tsx";
import { Entry } from "./message.tsx";

/** The block that the agent is writing. */
export function Streaming({ type, text }: { type: "text" | "thinking"; text: string }) {
  const t = useTranslations("thread");
  if (type === "text") {
    return (
      <div className="mt-4">
        <Entry kind="text" icon={<MessageSquare size={14} aria-hidden />} label={t("writing")}>
          <Markdown text={text} isStreaming />
        </Entry>
      </div>
    );
  }
  return (
    <div data-kind="thinking" className="mt-4 rounded-r-md px-4 py-2 text-thought-ink">
      <p className="py-1 text-sm font-medium">
        <Brain size={14} className="mr-1.5 inline" aria-hidden />
        {t("thinking")}
      </p>
      <p className="whitespace-pre-wrap">{text}</p>
    </div>
  );
}
