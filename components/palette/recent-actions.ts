"use client";

const KEY = "parley-recent-actions";
const MAX = 5;

/** The actions that this person chose in the palette last, on this device. */
export function recentActions(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((id) => typeof id === "string").slice(0, MAX) : [];
  } catch {
    return [];
  }
}

export function rememberAction(id: string): void {
  localStorage.setItem(KEY, JSON.stringify([id, ...recentActions().filter((each) => each !== id)].slice(0, MAX)));
}
