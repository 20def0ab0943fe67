"use client";

import { CircleCheck, LoaderCircle } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { api, errorText, readAsk } from "../live/api.ts";
import { onInboxChange } from "../live/inbox-changes.ts";
import { Button } from "../ui/button.tsx";
import { useDuration } from "../ui/clock.tsx";
import { retrying } from "../ui/retrying.ts";

const QuestionCard = dynamic(retrying(async () => (await import("../question/question-card.tsx")).QuestionCard));

type Props = {
  agent: string;
  isPasted: boolean;
  /** Agents whose name we cannot choose are recognised by their surface. */
  surface?: "mcp" | undefined;
};

/** Waits for the agent's first question, or asks one itself, and shows when the answer has arrived. */
export function LiveTest({ agent, isPasted, surface }: Props) {
  const t = useTranslations("connect");
  const duration = useDuration();
  const [ask, setAsk] = useState<AskView>();
  const [isArrived, setArrived] = useState(false);
  const [error, setError] = useState<string>();
  const fail = useCallback((reason: unknown) => setError(errorText(reason)), []);

  useEffect(
    () =>
      onInboxChange((item) => {
        if (item.agent !== agent && !surface) return;
        readAsk(item).then((found) => {
          if (item.agent === agent || found.asked_by.surface === surface) setAsk(found);
        }, fail);
      }),
    [agent, surface, fail],
  );
  const send = async () => {
    setArrived(false);
    setError(undefined);
    try {
      const body = { agent, title: t("testTitle"), question_text: t("testQuestion"), type: "boolean" };
      let { ask: made } = await api.call("ask", { body });
      setAsk(made);
      const { session_id, tool_use_id } = made;
      // As an agent does: wait for the answer.
      while (made.status === "pending") {
        made = (await api.call("readAsk", { params: { tool_use_id }, query: { session_id, wait: 50 } })).ask;
      }
      setAsk(made);
      setArrived(true);
    } catch (reason) {
      fail(reason);
    }
  };
  // Waiting by this page does not count as delivery to an agent.
  const arrived = isArrived || ask?.delivered_at ? ask : undefined;
  return (
    <section aria-labelledby="live-test" className="space-y-3">
      <h2 id="live-test" className="font-medium">
        {t("test")}
      </h2>
      {isPasted && !ask && (
        <p role="status" className="flex items-center gap-2 text-sm text-muted">
          <LoaderCircle size={16} className="animate-spin" aria-hidden />
          {t(surface ? "waitingAny" : "waiting", { agent })}
        </p>
      )}
      {!ask && <Button onClick={() => void send()}>{t("send")}</Button>}
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      {ask && <QuestionCard ask={ask} onChange={setAsk} conversationLink />}
      {arrived && (
        <div role="status" className="flex gap-2 rounded-md bg-good-fill px-3 py-2 text-good">
          <CircleCheck size={18} className="mt-0.5 shrink-0" aria-hidden />
          <div className="min-w-0">
            <p className="font-medium">
              {t("arrived", {
                time: duration(Date.parse(arrived.decided_at ?? arrived.created_at) - Date.parse(arrived.created_at)),
              })}
            </p>
            <code className="text-xs break-all text-muted">{arrived.result?.content}</code>
          </div>
        </div>
      )}
    </section>
  );
}
