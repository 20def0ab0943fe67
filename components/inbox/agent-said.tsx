"use client";

import { useTranslations } from "next-intl";
import { useLayoutEffect, useRef, useState } from "react";
import type { MessageView } from "../../lib/protocol/message.ts";
import { Button } from "../ui/button.tsx";
import { Markdown } from "../ui/markdown.tsx";

/** What the agent said right before it asked: quiet, and folded if it is long. */
export function AgentSaid({ messages }: { messages: readonly MessageView[] }) {
  const t = useTranslations("inbox");
  const body = useRef<HTMLDivElement>(null);
  const [isLong, setLong] = useState(false);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    const place = body.current;
    if (!place) return;
    const measure = () => setLong(place.scrollHeight > place.clientHeight + 8);
    const observer = new ResizeObserver(measure);
    observer.observe(place);
    for (const child of place.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  return (
    <section aria-label={t("context")} className="text-sm text-muted">
      <div ref={body} className={`space-y-2 overflow-hidden ${isOpen ? "" : "max-h-24"}`} dir="auto">
        {messages.map((message) => (
          <div key={message.sequence_num}>{message.type === "text" && <Markdown text={message.content.text} />}</div>
        ))}
      </div>
      {(isLong || isOpen) && (
        <Button size="sm" variant="ghost" className="-ml-2" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t("showLess") : t("showMore")}
        </Button>
      )}
    </section>
  );
}
