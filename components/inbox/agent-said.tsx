"use client";

import { useTranslations } from "next-intl";
import type { MessageView } from "../../lib/protocol/message.ts";
import { Markdown } from "../ui/markdown.tsx";
import { ShowAll } from "../ui/show-all.tsx";
import { useClamp } from "../ui/use-clamp.ts";

/** What the agent said right before it asked: quiet, and folded if it is long. */
export function AgentSaid({ messages }: { messages: readonly MessageView[] }) {
  const t = useTranslations("inbox");
  const { place, isOpen, canFold, toggle } = useClamp<HTMLDivElement>();
  return (
    <section aria-label={t("context")} className="text-sm text-muted">
      <div ref={place} className={`space-y-2 overflow-hidden ${isOpen ? "" : "max-h-24"}`} dir="auto">
        {messages.map((message) => (
          <div key={message.sequence_num}>{message.type === "text" && <Markdown text={message.content.text} />}</div>
        ))}
      </div>
      {canFold && <ShowAll isOpen={isOpen} onToggle={toggle} className="-ml-2" />}
    </section>
  );
}
