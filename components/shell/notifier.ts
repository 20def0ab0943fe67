"use client";

import { useTranslations } from "next-intl";
import { useCallback, useEffect } from "react";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { isOn } from "../preferences/preferences.ts";

const COUNT = /^\(\d+\+?\) /;

/** Shows the number of open questions in the title and icon of the page. */
export function useBadge(open: number): void {
  useEffect(() => {
    const show = () => {
      const title = document.title.replace(COUNT, "");
      const wanted = open > 0 ? `(${open > 99 ? "99+" : open}) ${title}` : title;
      if (document.title !== wanted) document.title = wanted;
    };
    show();
    // Navigation replaces the title.
    const observer = new MutationObserver(show);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [open]);
  useEffect(() => {
    if (open === 0) return;
    // A separate link, because browsers use the last one and React restores its own link if it is changed.
    const icon = document.createElement("link");
    icon.rel = "icon";
    icon.href = badge(open);
    document.head.append(icon);
    return () => icon.remove();
  }, [open]);
}

/** The accent in light; the badge is on the tab strip, whose theme the page does not know. */
const ACCENT = "#5a43d6";

function badge(open: number): string {
  const text = open > 99 ? "99" : String(open);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${ACCENT}"/><text x="16" y="23" font-family="system-ui" font-size="${text.length > 1 ? 17 : 21}" font-weight="700" text-anchor="middle" fill="#fff">${text}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Notifies the person of a question that arrives while the page is in the background, if they turned it on. */
export function useNotify(): (item: InboxItem) => void {
  const t = useTranslations("notify");
  return useCallback(
    (item) => {
      if (!document.hidden) return;
      if (isOn("sound")) chime();
      if (isOn("notifications") && "Notification" in window && Notification.permission === "granted") {
        const shown = new Notification(t("title", { agent: item.agent }), {
          body: item.question,
          tag: item.inbox_item_id,
        });
        shown.onclick = () => {
          window.focus();
          window.location.assign(`/?item=${encodeURIComponent(item.inbox_item_id)}`);
        };
      }
    },
    [t],
  );
}

let audio: AudioContext | undefined;

/** Two short notes, synthesised so that no file has to be fetched. */
export function chime(): void {
  audio ??= new AudioContext();
  for (const [frequency, at] of [
    [660, 0],
    [880, 0.12],
  ] as const) {
    const [oscillator, gain] = [audio.createOscillator(), audio.createGain()];
    oscillator.frequency.value = frequency;
    const start = audio.currentTime + at;
    gain.gain.setValueAtTime(0.08, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + 0.25);
    oscillator.connect(gain).connect(audio.destination);
    oscillator.start(start);
    oscillator.stop(start + 0.25);
  }
}
