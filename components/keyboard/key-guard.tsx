"use client";

import { useTranslations } from "next-intl";
import { useEffect, useSyncExternalStore } from "react";
import { isComposing, isSubmitKey, isTyping, textFieldOf } from "./key-events.ts";
import { type FormRef, isElsewhere, isInKeyForm } from "./key-forms.ts";

/** After an answer was sent from a text field, keys count again once nobody has typed for this long. */
const QUIET_MS = 2_000;
const MODIFIERS = ["Control", "Shift", "Alt", "Meta", "AltGraph"];

/**
 * Why keys are ignored. `gone`: the field in which the person typed disappeared under them. `sent`: they sent an answer
 * from a text field and may still be typing.
 */
type Pause = { why: "gone" | "sent"; hasIgnored: boolean };

let pause: Pause | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
/** The text field that received the last key, until the person moves on deliberately. */
let field: HTMLElement | undefined;
/** Keys whose press was ignored. Their release must be ignored too, because it can activate a button. */
const ignored = new Set<string>();
const listeners = new Set<() => void>();

function setPause(next: Pause | undefined): void {
  pause = next;
  clearTimeout(timer);
  if (next?.why === "sent") timer = setTimeout(() => setPause(undefined), QUIET_MS);
  for (const listener of listeners) listener();
}

/**
 * Call when the person sends a form, and the result once it was accepted. If they sent it from a text field and have not
 * moved on since, they may still be typing, and those keys are not meant for the page.
 */
export function keyPauseFor(form: FormRef): () => void {
  const wasTyping = isTyping(document.activeElement);
  return () => {
    if (wasTyping && !isElsewhere(form)) setPause({ why: "sent", hasIgnored: false });
  };
}

/** After a deliberate action, the person's next keys are meant for the page. */
function resumeKeys(): void {
  field = undefined;
  if (pause) setPause(undefined);
}

/**
 * Whether a key ends what the person types, so that their next keys are meant for the page even if the field is gone: the
 * key that submits, and Enter in a field of one line. A card says by itself when its answer was sent (`keyPauseFor`).
 */
function endsTyping(event: KeyboardEvent, typedInto: HTMLElement): boolean {
  if (isSubmitKey(event)) return true;
  return event.key === "Enter" && typedInto.matches("input") && !isComposing(event) && !isInKeyForm(typedInto);
}

function swallow(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function onKeyDown(event: KeyboardEvent): void {
  if (MODIFIERS.includes(event.key)) return;
  if (event.key === "Tab" || event.key === "Escape") {
    if (pause && event.key === "Escape") swallow(event);
    resumeKeys();
    return;
  }
  const typedInto = textFieldOf(event.target);
  if (typedInto) {
    field = endsTyping(event, typedInto) ? undefined : typedInto;
    return;
  }
  if (field && !field.isConnected) {
    field = undefined;
    setPause({ why: "gone", hasIgnored: false });
  }
  const isForBrowser = (event.ctrlKey || event.metaKey || event.altKey) && event.key !== "Enter";
  if (!pause || isForBrowser) return;
  swallow(event);
  ignored.add(event.code);
  setPause({ ...pause, hasIgnored: true });
}

function onKeyUp(event: KeyboardEvent): void {
  if (ignored.delete(event.code)) swallow(event);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Keeps keys that were typed into a field from running as shortcuts when that field is no longer there. They are ignored
 * until the person acts deliberately: a click, Tab or Esc.
 */
export function KeyGuard() {
  const t = useTranslations("keyGuard");
  const current = useSyncExternalStore(
    subscribe,
    () => pause,
    () => undefined,
  );
  useEffect(() => {
    // In the capture phase, before every other key handler.
    window.addEventListener("keydown", onKeyDown, { capture: true });
    window.addEventListener("keyup", onKeyUp, { capture: true });
    window.addEventListener("pointerdown", resumeKeys, { capture: true });
    window.addEventListener("popstate", resumeKeys);
    return () => {
      window.removeEventListener("keydown", onKeyDown, { capture: true });
      window.removeEventListener("keyup", onKeyUp, { capture: true });
      window.removeEventListener("pointerdown", resumeKeys, { capture: true });
      window.removeEventListener("popstate", resumeKeys);
      resumeKeys();
    };
  }, []);
  return (
    <p
      role="status"
      data-testid="key-guard"
      data-paused={current?.why}
      className="border-t border-warning bg-warning-fill px-4 py-2 text-sm empty:hidden"
    >
      {current?.hasIgnored && t(current.why)}
    </p>
  );
}
