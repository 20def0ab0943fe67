"use client";

import { BellOff, BellRing } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import type { Reply } from "../../lib/client.ts";
import { errorText } from "../live/api.ts";
import type { Loaded } from "../live/use-loaded.ts";
import { Button } from "../ui/button.tsx";
import { Row, RowList, Section } from "../ui/page.tsx";
import { showToast } from "../ui/toast-store.ts";
import { deviceChannel, type PushState, pushState, turnOff, turnOn } from "./push.ts";
import { TestButton } from "./test-button.tsx";

/** Notifications in this browser, even while Parley is closed. Asks for permission when the person turns them on. */
export function ThisDevice({ loaded }: { loaded: Loaded<Reply<"listChannels">> }) {
  const t = useTranslations("notifications.device");
  const [state, setState] = useState<PushState>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    void pushState().then(setState, () => setState("unsupported"));
  }, []);
  const own = loaded.value?.channels.find(({ id }) => id === deviceChannel());
  // Someone may have removed this device from another one.
  const isGone = state === "on" && loaded.value !== undefined && !own;
  const shown = isGone ? "off" : state;
  const turn = async (to: "on" | "off") => {
    setBusy(true);
    try {
      if (to === "off") await turnOff();
      else if (!(await turnOn(loaded.value?.vapid_public_key ?? ""))) showToast({ text: t("blocked") });
    } catch (reason) {
      showToast({ text: t(`${to}Failed`, { reason: reasonOf(reason) }), tone: "danger" });
    } finally {
      setState(await pushState());
      setBusy(false);
      void loaded.reload();
    }
  };
  return (
    <Section title={t("title")} about={t("about")}>
      <RowList label={t("title")}>
        <Row
          icon={
            shown === "on" ? (
              <BellRing size={16} className="text-good" aria-hidden />
            ) : (
              <BellOff size={16} aria-hidden />
            )
          }
          title={<span role="status">{t(shown === "on" ? "on" : "off")}</span>}
          facts={
            shown === "on" ? (own?.last_error ?? t("onAbout")) : shown && shown !== "off" ? t(shown) : t("offAbout")
          }
        >
          {shown === "on" && (
            <>
              {own && <TestButton channel={own} onTested={() => void loaded.reload()} />}
              <Button variant="ghost" isBusy={isBusy} onClick={() => void turn("off")}>
                {t("turnOff")}
              </Button>
            </>
          )}
          {shown === "off" && loaded.value && (
            <Button variant="primary" isBusy={isBusy} onClick={() => void turn("on")}>
              {t("turnOn")}
            </Button>
          )}
        </Row>
      </RowList>
    </Section>
  );
}

/** The browser's message is in the browser's language, Parley's in the page's. */
function reasonOf(reason: unknown): string {
  return reason instanceof DOMException ? reason.message : errorText(reason);
}
