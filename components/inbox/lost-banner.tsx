"use client";

import { CloudOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { useConnection, useRefusal } from "../live/connection.ts";
import { useClock } from "../ui/clock.tsx";

/** A short interruption is not worth mentioning. */
const PATIENCE_MS = 4_000;

/** Says that the list may be out of date, and why. It disappears once the connection is back. */
export function LostBanner({ error }: { error: string | undefined }) {
  const t = useTranslations("inbox");
  const { status, since } = useConnection();
  const clock = useClock();
  const refusal = useRefusal();
  const isLost = status === "lost" && clock - since >= PATIENCE_MS;
  if (!isLost && !error && refusal === undefined) return null;
  return (
    <p
      role="status"
      className="flex items-start gap-2 border-b border-line bg-warning-fill px-4 py-2 text-xs text-warning"
    >
      <CloudOff size={14} className="mt-px shrink-0" aria-hidden />
      {isLost ? t("lost") : error ? t("failed", { reason: error }) : t("notLive", { reason: refusal ?? "" })}
    </p>
  );
}
