"use client";

import { useTranslations } from "next-intl";
import type { MessageContent } from "../../lib/protocol/message.ts";
import { isNoName } from "../../lib/protocol/no-name.ts";
import { VisibleText } from "../ui/visible-text.tsx";

/** Parley's own events in the language of the person; an agent's in its own words. */
export function InfoText({ content }: { content: MessageContent["info"] }) {
  const t = useTranslations("info");
  const by = typeof content.by === "string" ? content.by : (content.by?.name ?? "");
  const who = by === "" || isNoName(by) ? t("somebody") : by;
  switch (content.event) {
    case "question.answered":
      return t("partlyAnswered", { who });
    case "question.reopened":
      return t("reopened", { who });
    case "question.extended":
      return t(content.deadline_at ? "extended" : "extendedForever", { who });
    case "question.answered_elsewhere":
      return t(content.went_on_with === null ? "declinedElsewhere" : "answeredElsewhere", {
        answer: String(content.went_on_with),
        recorded: String(content.recorded),
        counts: content.counts === true ? "yes" : "no",
      });
    case "conversation.closed":
      return t("closed", { who });
    case "conversation.interrupted":
      return by === "parley" ? t("restarted") : t("interrupted", { who });
    case "conversation.continued":
      return t("continued");
    case "depth.limit":
      return t("depthLimit", { limit: content.limit ?? 0 });
    case "depth.allowed":
      return t("depthAllowed", { more: grantedBy(content) });
    default:
      return <VisibleText>{String(content.text ?? "")}</VisibleText>;
  }
}

/** How many more questions "allow more" grants. Older messages carry only the limit. */
export function grantedBy({ more, limit }: MessageContent["info"]): number {
  return more ?? limit ?? 0;
}
