"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import type { LiveState } from "../../lib/protocol/session.ts";
import { api, errorText } from "../live/api.ts";
import { Button } from "../ui/button.tsx";

/** The two options once an agent has reached its ask limit. */
export function DepthLimit({ state, isOwnAgent, more }: { state: LiveState; isOwnAgent: boolean; more: number }) {
  const t = useTranslations("depth");
  const [done, setDone] = useState<"ended" | "busy">();
  const [error, setError] = useState<string>();
  const params = { id: state.session_id };
  const attempt = async (work: () => Promise<unknown>, after?: "ended") => {
    setDone("busy");
    await work().then(
      () => setDone(after),
      (reason) => {
        setDone(undefined);
        setError(errorText(reason));
      },
    );
  };
  const allow = () =>
    attempt(async () => {
      await api.call("allowMore", { params });
      // If the agent has ended its turn, a message must tell it that it may continue.
      if (isOwnAgent && state.turn_id === null) await api.call("sendMessage", { params, body: { text: t("goOn") } });
    });
  if (done === "ended") return <p className="pl-3 text-sm text-muted">{t("ended")}</p>;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2 pl-3">
      <Button variant="primary" disabled={done === "busy"} onClick={allow}>
        {t("allow", { more })}
      </Button>
      <Button disabled={done === "busy"} onClick={() => attempt(() => api.call("interrupt", { params }), "ended")}>
        {t("end")}
      </Button>
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </div>
  );
}
