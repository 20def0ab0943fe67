"use client";

import { useTranslations } from "next-intl";
import { useConnection, useRefusal } from "../live/connection.ts";
import { useClock } from "../ui/clock.tsx";

/** Whether the page is live, and if not, why or for how long. */
export function ConnectionStatus() {
  const t = useTranslations("connection");
  const { status, since } = useConnection();
  const clock = useClock();
  const refusal = useRefusal();
  if (status === "live" && refusal !== undefined)
    return (
      <span
        role="status"
        className="flex items-center gap-1.5 text-sm whitespace-nowrap text-warning"
        title={refusal}
        data-connection="refused"
      >
        <span className="size-2 rounded-full bg-warning" aria-hidden />
        {t("refused")}
        <span className="sr-only">{refusal}</span>
      </span>
    );
  if (status === "lost") {
    const seconds = Math.max(0, Math.round((clock - since) / 1_000));
    return (
      <span role="status" className="flex items-center gap-1.5 text-sm text-warning" data-connection="lost">
        <span className="size-2 rounded-full bg-warning" aria-hidden />
        {t("lost", { seconds })}
      </span>
    );
  }
  return (
    <span className="flex items-center gap-1.5 text-sm text-muted" data-connection={status}>
      <span className={`size-2 rounded-full ${status === "live" ? "bg-good" : "bg-muted"}`} aria-hidden />
      {t(status)}
    </span>
  );
}
