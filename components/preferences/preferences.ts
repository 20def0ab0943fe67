/** Preferences of a person, kept in cookies so that the server renders with them and nothing flickers. */
export const THEME_COOKIE = "parley-theme";
export const DENSITY_COOKIE = "parley-density";
export const PASSKEY_COOKIE = "parley-has-passkey";
const NAME_COOKIE = "parley-name";

export type Theme = "light" | "dark" | "system";
export type Density = "comfortable" | "compact";

const A_YEAR = 365 * 86_400;

export function setCookie(name: string, value: string, maxAgeS = A_YEAR): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API does not exist on plain http.
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${maxAgeS}; samesite=strict`;
}

function readCookie(name: string): string | undefined {
  const found = document.cookie.split("; ").find((cookie) => cookie.startsWith(`${name}=`));
  return found && decodeURIComponent(found.slice(name.length + 1));
}

/** The name of the person in the record. If it is empty, the record says that nobody was named. */
export function personName(): string {
  return readCookie(NAME_COOKIE) ?? "";
}

export function setPersonName(name: string): void {
  setCookie(NAME_COOKIE, name.trim().slice(0, 100));
}

/** Whether someone has used a passkey on this device; sign-in then offers it first. */
export function hasPasskey(): boolean {
  return readCookie(PASSKEY_COOKIE) !== undefined;
}

export function rememberPasskey(isUsed: boolean): void {
  setCookie(PASSKEY_COOKIE, "yes", isUsed ? A_YEAR : 0);
}

/** A setting that is on or off for this device only. */
export type Switch = "notifications" | "sound" | "shortcuts" | "enterSends";

const ON_BY_DEFAULT: readonly Switch[] = ["shortcuts", "enterSends"];

export function isOn(name: Switch): boolean {
  const fallback = ON_BY_DEFAULT.includes(name) ? "on" : "off";
  return (localStorage.getItem(`parley-${name}`) ?? fallback) === "on";
}

export function setSwitch(name: Switch, on: boolean): void {
  localStorage.setItem(`parley-${name}`, on ? "on" : "off");
}

/** The width in px that the person gave the list of the inbox on this device. */
export function listWidth(): number | undefined {
  const stored = Number(localStorage.getItem("parley-list-width"));
  return stored > 0 ? stored : undefined;
}

export function setListWidth(width: number | undefined): void {
  if (width === undefined) localStorage.removeItem("parley-list-width");
  else localStorage.setItem("parley-list-width", String(width));
}

/** How long an answer given in the inbox can be undone, in seconds. */
export const UNDO_SECONDS = ["0", "4", "10"] as const;
export type UndoSeconds = (typeof UNDO_SECONDS)[number];

export function undoSeconds(): UndoSeconds {
  const stored = localStorage.getItem("parley-undo");
  return UNDO_SECONDS.find((each) => each === stored) ?? "4";
}

export function setUndoSeconds(seconds: UndoSeconds): void {
  localStorage.setItem("parley-undo", seconds);
}
