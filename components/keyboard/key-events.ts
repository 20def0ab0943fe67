/** While an input method composes, its keys must be ignored. Safari reports that only by this key code. */
export function isComposing(event: { nativeEvent?: Event } | Event): boolean {
  const native = "nativeEvent" in event && event.nativeEvent ? event.nativeEvent : event;
  return native instanceof KeyboardEvent && (native.isComposing || native.keyCode === 229);
}

type KeyPress = { key: string; ctrlKey: boolean; metaKey: boolean; nativeEvent?: Event };

/** Ctrl+Enter or ⌘+Enter, which submits everywhere. */
export function isSubmitKey(event: KeyPress): boolean {
  return event.key === "Enter" && (event.ctrlKey || event.metaKey) && !isComposing(event);
}

/** A digit from 1 to 9 without a modifier. */
export function isPlainDigit(event: KeyPress & { altKey: boolean }): boolean {
  return /^[1-9]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;
}

/** The text field that an event is for, if it is one: keys pressed there are text. */
export function textFieldOf(target: EventTarget | null): HTMLElement | undefined {
  const isTextField =
    target instanceof HTMLElement &&
    target.matches("textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])");
  return isTextField ? target : undefined;
}

export function isTyping(target: EventTarget | null): boolean {
  return textFieldOf(target) !== undefined;
}
