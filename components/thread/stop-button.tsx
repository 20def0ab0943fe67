"use client";

import { Square } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, errorText } from "../live/api.ts";
import { Button } from "../ui/button.tsx";
import { retrying } from "../ui/retrying.ts";
import { showToast } from "../ui/toast-store.ts";

const Dialog = dynamic(retrying(async () => (await import("../ui/dialog.tsx")).Dialog));

/** Stops the agent. Asks first if that would dismiss an open question. */
export function StopButton({ session_id, hasQuestion }: { session_id: string; hasQuestion: boolean }) {
  const t = useTranslations("stop");
  const [isAsking, setAsking] = useState(false);
  const stop = () => {
    setAsking(false);
    api
      .call("interrupt", { params: { id: session_id } })
      .catch((reason) => showToast({ text: t("failed", { reason: errorText(reason) }), tone: "danger" }));
  };
  return (
    <>
      <Button size="sm" onClick={() => (hasQuestion ? setAsking(true) : stop())}>
        <Square size={12} aria-hidden />
        <span className="max-sm:sr-only">{t(hasQuestion ? "buttonAsks" : "button")}</span>
      </Button>
      {isAsking && (
        <Dialog title={t("title")} description={t("about")} size="sm" onClose={() => setAsking(false)}>
          <div className="flex justify-end gap-2">
            <Button data-autofocus onClick={() => setAsking(false)}>
              {t("keep")}
            </Button>
            <Button variant="danger" onClick={stop}>
              {t("confirm")}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
