"use client";

import { CircleCheck, LoaderCircle } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { api, errorText } from "../live/api.ts";
import { onInboxChange } from "../live/inbox-count.ts";
import { QuestionCard } from "../question/question-card.tsx";
import { useDuration } from "../ui/clock.tsx";

/** Waits for the agent's first question, or asks one itself, until its answer has arrived. */
export function LiveTest({ agent, isPasted }: { agent: string; isPasted: boolean }) {
  const t = useTranslations("connect");
  const duration = useDuration();
  const [ask, setAsk] = useState<AskView>();
  const [arrived, setArrived] = useState<{ content: string; took: number }>();
  const [error, setError] = useState<string>();
  const fail = useCallback((reason: unknown) => setError(errorText(reason)), []);

  useEffect(
    () =>
      onInboxChange((item) => {
        if (item.agent !== agent) return;
        api
          .call("readAsk", { params: { tool_use_id: item.tool_use_id }, query: { session_id: item.session_id } })
          .then((reply) => setAsk(reply.ask), fail);
      }),
    [agent, fail],
  );
  const send = async () => {
    setArrived(undefined);
    setError(undefined);
    try {
      const body = { agent, title: t("testTitle"), question_text: t("testQuestion"), type: "boolean" };
      let { ask: made } = await api.call("ask", { body });
      setAsk(made);
      const { session_id, tool_use_id } = made;
      // What an agent does: it waits until it is told.
      while (made.status === "pending") {
        made = (await api.call("readAsk", { params: { tool_use_id }, query: { session_id, wait: 50 } })).ask;
      }
      setAsk(made);
      const took = Date.parse(made.decided_at ?? made.created_at) - Date.parse(made.created_at);
      setArrived({ content: made.result?.content ?? "", took });
    } catch (reason) {
      fail(reason);
    }
  };
  const isThere = arrived !== undefined || (ask?.delivered_at ?? null) !== null;
  return (
    <section aria-labelledby="live-test" className="space-y-4 rounded-lg border border-line p-4">
      <h2 id="live-test" className="font-medium">
        {t("test")}
      </h2>
      {isPasted && !ask && (
        <p role="status" className="flex items-center gap-2 text-sm text-muted">
          <LoaderCircle size={16} className="animate-spin" aria-hidden />
          {t("waiting", { agent })}
        </p>
      )}
      {!ask && (
        <button type="button" className="button" onClick={() => void send()}>
          {t("send")}
        </button>
      )}
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      {ask && <QuestionCard ask={ask} onChange={setAsk} conversationLink />}
      {isThere && (
        <p role="status" className="flex items-center gap-2 text-good">
          <CircleCheck size={18} aria-hidden />
          {t("arrived", {
            content: arrived?.content ?? ask?.result?.content ?? "",
            time: duration(arrived?.took ?? Date.parse(ask?.decided_at ?? "") - Date.parse(ask?.created_at ?? "")),
          })}
        </p>
      )}
    </section>
  );
}
