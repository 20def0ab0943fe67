"use client";

import { usePathname, useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useKeys } from "../keyboard/use-keys.ts";
import { live } from "../live/connection.ts";
import { useMe } from "../team/me.tsx";
import { showToast } from "../ui/toast-store.ts";
import type { HeldAnswer, SendOutcome } from "./held-answers.ts";
import { heldAnswers, setUndone, useReceipts } from "./hold.ts";
import { reach } from "./reached.ts";
import { Receipts } from "./receipts.tsx";

const QUESTION_LENGTH = 60;

/** Shows the answers given last, says when one could not be sent, and sends all of them when the page closes. */
export function HeldAnswersNotices() {
  const t = useTranslations("undo");
  const router = useRouter();
  const person = useMe().person?.id ?? "";
  const receipts = useReceipts();
  const path = usePathname();
  const [closed, setClosed] = useState<HeldAnswer>();
  const unreachable = useRef(false);

  const open = (inbox_item_id: string) => {
    setUndone(inbox_item_id);
    reach(inbox_item_id);
    const params = new URLSearchParams(window.location.pathname === "/" ? window.location.search : "");
    params.set("item", inbox_item_id);
    // Within the inbox the address is enough; it keeps its filter and its place.
    if (window.location.pathname === "/") window.history.pushState(null, "", `/?${params}`);
    else router.push(`/?${params}`);
  };
  const undo = (inbox_item_id: string | undefined) => {
    if (inbox_item_id !== undefined && heldAnswers().undo(inbox_item_id)) open(inbox_item_id);
  };
  const undoLast = () => undo(heldAnswers().last()?.inbox_item_id);
  useKeys({ u: undoLast, z: undoLast }, { inForms: ["u", "z"] });

  const onReport = useEffectEvent((held: HeldAnswer, outcome: SendOutcome | "expired") => {
    if (outcome === "unreachable") {
      if (!unreachable.current) showToast({ text: t("unreachable"), tone: "danger" });
      unreachable.current = true;
      return;
    }
    unreachable.current = false;
    if (outcome === "sent") return;
    const question = held.question.slice(0, QUESTION_LENGTH);
    if (typeof outcome === "object" && "claimed" in outcome) {
      const anyway = () => void heldAnswers().hold({ ...held, take_over: true, until: Date.now() });
      const text = t("claimed", { name: outcome.claimed, question });
      return void showToast({ text, action: { label: t("anyway"), run: anyway }, ms: 20_000 });
    }
    const text = typeof outcome === "object" ? t("refused", { reason: outcome.refused }) : t(outcome, { question });
    // In its conversation, because a settled question is no longer in the inbox.
    const action = { label: t("show"), run: () => router.push(`/conversations/${held.session_id}`) };
    showToast({ text, tone: "danger", action, ms: 10_000 });
  });
  useEffect(() => {
    const held = heldAnswers();
    held.reportTo((each, outcome) => onReport(each, outcome));
    void held.resume(person);
    const flush = () => held.flush();
    const again = () => {
      held.retry();
      void held.resume(person);
    };
    const onVisibility = () => (document.visibilityState === "hidden" ? held.flush() : again());
    const stop = new AbortController();
    window.addEventListener("pagehide", flush, { signal: stop.signal });
    window.addEventListener("online", again, { signal: stop.signal });
    document.addEventListener("visibilitychange", onVisibility, { signal: stop.signal });
    const socket = live();
    socket.on("connect", again);
    return () => {
      stop.abort();
      socket.off("connect", again);
    };
  }, [person]);

  const [latest] = receipts;
  const isDone = !receipts.some(({ state }) => state === "waiting" || state === "sending");
  // Elsewhere only what is not sent yet matters.
  if (!latest || latest.held === closed || (isDone && path !== "/")) return null;
  return <Receipts receipts={receipts} onUndo={undo} onClose={() => setClosed(latest.held)} />;
}
