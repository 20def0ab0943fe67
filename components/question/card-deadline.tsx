"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import type { AskView } from "../../lib/protocol/ask.ts";
import { errorText } from "../live/api.ts";
import { retrying } from "../ui/retrying.ts";
import { showToast } from "../ui/toast-store.ts";
import { Countdown } from "./countdown.tsx";
import { type Extension, extended } from "./deadlines.ts";
import { extendDeadline } from "./use-answer.ts";

const ExtendMenu = dynamic(
  retrying(async () => (await import("./extend-menu.tsx")).ExtendMenu),
  { ssr: false },
);

type Props = { ask: AskView; canExtend: boolean; onChange: (ask: AskView) => void };

/** How much time is left, and a menu that gives more. */
export function CardDeadline({ ask, canExtend, onChange }: Props) {
  const t = useTranslations("card");
  if (!ask.deadline_at) return null;
  const extend = (extension: Extension) =>
    extendDeadline(ask, extended(ask.deadline_at ?? "", extension, Date.now())).then(onChange, (error) =>
      showToast({ text: t("refused", { reason: errorText(error) }), tone: "danger" }),
    );
  return (
    <span className="flex items-center gap-1">
      <Countdown ask={ask} />
      {canExtend && <ExtendMenu onExtend={(extension) => void extend(extension)} />}
    </span>
  );
}
