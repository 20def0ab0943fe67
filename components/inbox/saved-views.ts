"use client";

/** A view of the inbox under a name, on this device. The address says what it shows. */
export type SavedView = { name: string; search: string };

const KEY = "parley-views";
const MAX_VIEWS = 30;

export function readSavedViews(): SavedView[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter(isSavedView) : [];
  } catch {
    return [];
  }
}

/** Replaces a view of the same name. */
export function saveView(view: SavedView): SavedView[] {
  return store([...readSavedViews().filter(({ name }) => name !== view.name), view].slice(-MAX_VIEWS));
}

export function removeView(name: string): SavedView[] {
  return store(readSavedViews().filter((view) => view.name !== name));
}

function store(views: SavedView[]): SavedView[] {
  localStorage.setItem(KEY, JSON.stringify(views));
  return views;
}

function isSavedView(value: unknown): value is SavedView {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    typeof value.name === "string" &&
    "search" in value &&
    typeof value.search === "string"
  );
}
