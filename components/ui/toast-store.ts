"use client";

import { useSyncExternalStore } from "react";

export type ToastOptions = {
  text: string;
  tone?: "plain" | "good" | "danger";
  /** What the person can do about it. The toast closes when they do. */
  action?: { label: string; shortcut?: string; run: () => void };
  /** How long it stays, unless the pointer or the focus is on it; 5 s by default. */
  ms?: number;
};

export type Toast = ToastOptions & { id: string };

let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a short message at the edge of the page. It must never be the only place that says something. */
export function showToast(options: ToastOptions): string {
  last += 1;
  const id = `toast-${last}`;
  set([...toasts, { ...options, id }].slice(-3));
  return id;
}

export function hideToast(id: string): void {
  set(toasts.filter((toast) => toast.id !== id));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const NONE: readonly Toast[] = [];

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    subscribe,
    () => toasts,
    () => NONE,
  );
}
