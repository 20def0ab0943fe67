"use client";

import type { AskView } from "../../lib/protocol/ask.ts";
import { type FormRef, isElsewhere } from "../keyboard/key-forms.ts";
import { leaveCard } from "./card-in-focus.ts";

// A reply or a frame may come late: if the person is elsewhere by then, neither their focus nor their keys are ours.
function focusTitle({ tool_use_id }: AskView, form: FormRef): void {
  if (!isElsewhere(form)) document.getElementById(`card-${tool_use_id}`)?.focus({ preventScroll: true });
}

/** Moves the focus from a form to the record that replaces it. */
export function focusRecord(ask: AskView, form: FormRef): void {
  requestAnimationFrame(() => focusTitle(ask, form));
}

/** Takes the person out of a form that they can no longer send. */
export function leaveForm(ask: AskView, form: FormRef): void {
  // At once, because the form may become editable again before the next frame, and the next key is not for its field.
  focusTitle(ask, form);
  leaveCard();
  focusRecord(ask, form);
}
