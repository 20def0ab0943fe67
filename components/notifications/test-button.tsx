"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, errorText } from "../live/api.ts";
import { Button } from "../ui/button.tsx";
import { showToast } from "../ui/toast-store.ts";

/** Sends a test to a channel, and says whether it went out. */
export function TestButton({ channel_id, onTested }: { channel_id: string; onTested: () => void }) {
  const t = useTranslations("notifications.test");
  const [isBusy, setBusy] = useState(false);
  const test = async () => {
    setBusy(true);
    const reason = await api.call("testChannel", { params: { id: channel_id } }).then(
      ({ arrived, error }) => (arrived ? undefined : (error ?? t("refused"))),
      (reason) => errorText(reason),
    );
    setBusy(false);
    showToast(
      reason === undefined ? { text: t("sent"), tone: "good" } : { text: t("failed", { reason }), tone: "danger" },
    );
    onTested();
  };
  return (
    <Button isBusy={isBusy} onClick={() => void test()}>
      {t("send")}
    </Button>
  );
}
