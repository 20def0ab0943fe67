"use client";

/**
 * The ask that the person went to last: with the keyboard, by a click on its row, by opening the page, or because they
 * answered the one before. Typing something else leaves it. `y` and `n` count only for this ask, or inside its card.
 */
let reached: string | undefined;
let isListening = false;

export function reach(inbox_item_id: string): void {
  reached = inbox_item_id;
  if (isListening) return;
  isListening = true;
  // Before the key does anything, so that one which moves to another ask reaches it.
  window.addEventListener("keydown", leave, { capture: true });
}

/** Whether a key pressed here may answer this ask. */
export function isReached(inbox_item_id: string, target: Element): boolean {
  if (reached !== inbox_item_id) return false;
  const row = target.closest("[data-item]");
  return row ? row.getAttribute("data-item") === inbox_item_id : target.matches("body, h2");
}

function leave({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): void {
  // Keys that scroll, and named ones such as Tab, are no text.
  const isText = key.length === 1 && key !== " " && !ctrlKey && !metaKey && !altKey;
  if (isText && key !== "y" && key !== "n") reached = undefined;
}
