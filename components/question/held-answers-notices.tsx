"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useRef } from "react";
import { useKeys } from "../keyboard/use-keys.ts";
import { undoSeconds } from "../preferences/preferences.ts";
import { useMe } from "../team/me.tsx";
import { hideToast, showToast } from "../ui/toast-store.ts";
import type { HeldAnswer, SendOutcome } from "./held-answers.ts";
import { heldAnswers, setUndone, useHeldAnswers } from "./hold.ts";

const QUESTION_LENGTH = 60;

/** Says that an answer is about to be sent, and whether it was; sends all of them when the page closes. */
export function HeldAnswersNotices() {
  const t = useTranslations("undo");
  const router = useRouter();
  const person = useMe().person?.id ?? "";
  const states = useHeldAnswers();
  const toasts = useRef(new Map<string, string>());
  const unreachable = useRef(false);

  const open = (inbox_item_id: string) => {
    setUndone(inbox_item_id);
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
      const anyway = () => heldAnswers().hold({ ...held, take_over: true, until: Date.now() });
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
    held.resume(person);
    const flush = () => held.flush();
    const onVisibility = () => document.visibilityState === "hidden" && held.flush();
    window.addEventListener("pagehide", flush);
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      window.removeEventListener("pagehide", flush);
      document.removeEventListener("visibilitychange", onVisibility);
    };
  }, [person]);

  const onStates = useEffectEvent(() => {
    for (const [id, { state }] of states) {
      if (state !== "waiting" || toasts.current.has(id)) continue;
      const action = { label: t("undo"), shortcut: "U", run: () => undo(id) };
      toasts.current.set(id, showToast({ text: t("sending"), action, ms: Number(undoSeconds()) * 1_000 }));
    }
    for (const [id, toast] of toasts.current) {
      if (states.get(id)?.state === "waiting") continue;
      hideToast(toast);
      toasts.current.delete(id);
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for every change of what is held.
  useEffect(() => onStates(), [states]);
  return null;
}
