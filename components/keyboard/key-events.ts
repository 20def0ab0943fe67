/** While an input method composes, its keys are its own: Safari says so only by this code. */
export function isComposing(event: { nativeEvent?: Event } | Event): boolean {
  const native = (
    "nativeEvent" in event && event.nativeEvent ? event.nativeEvent : event
  ) as Partial<globalThis.KeyboardEvent>;
  return native.isComposing === true || native.keyCode === 229;
}

type Pressed = { key: string; ctrlKey: boolean; metaKey: boolean; nativeEvent?: Event };

/** Ctrl+Enter or ⌘+Enter: submits, everywhere. */
export function isSubmitKey(event: Pressed): boolean {
  return event.key === "Enter" && (event.ctrlKey || event.metaKey) && !isComposing(event);
}

/** A digit from 1 to 9 without a modifier. */
export function isPlainDigit(event: Pressed & { altKey: boolean }): boolean {
  return /^[1-9]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;
}

/** Whether keys pressed here are text. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches("textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])")
  );
}
