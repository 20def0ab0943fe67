"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import type { ChannelView } from "../../lib/protocol/notification.ts";
import { api, errorText } from "../live/api.ts";
import { Button } from "../ui/button.tsx";
import { showToast } from "../ui/toast-store.ts";

type Props = { channel: Pick<ChannelView, "id" | "confirmed">; onTested: () => void };

/** Sends a test to a channel, or what confirms it once more, and says whether it went out. */
export function TestButton({ channel: { id, confirmed }, onTested }: Props) {
  const t = useTranslations("notifications.test");
  const [isBusy, setBusy] = useState(false);
  const test = async () => {
    setBusy(true);
    const reason = await api.call("testChannel", { params: { id } }).then(
      ({ arrived, error }) => (arrived ? undefined : (error ?? t("refused"))),
      (reason) => errorText(reason),
    );
    setBusy(false);
    showToast(
      reason === undefined
        ? { text: t(confirmed ? "sent" : "sentAgain"), tone: "good" }
        : { text: t("failed", { reason }), tone: "danger" },
    );
    onTested();
  };
  return (
    <Button isBusy={isBusy} onClick={() => void test()}>
      {t(confirmed ? "send" : "sendAgain")}
    </Button>
  );
}
