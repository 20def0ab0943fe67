"use client";

import { api } from "../live/api.ts";
import { deviceIn } from "../ui/device-words.ts";

// Notifications of this browser that arrive while Parley is closed. The browser keeps the subscription; which channel of the
// person it belongs to is remembered here, because the server shows nobody the address of a channel.

const PLACE = "parley-push";

type Remembered = { channel_id: string; endpoint: string };

/** Why this browser cannot be notified, or whether it is. */
export type PushState = "insecure" | "home_screen" | "unsupported" | "blocked" | "off" | "on";

export async function pushState(): Promise<PushState> {
  if (!window.isSecureContext) return "insecure";
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window))
    return /\b(iPhone|iPad)\b/.test(navigator.userAgent) ? "home_screen" : "unsupported";
  if (Notification.permission === "denied") return "blocked";
  const subscription = await (await navigator.serviceWorker.getRegistration("/"))?.pushManager.getSubscription();
  return subscription && remembered() ? "on" : "off";
}

/** The channel of this browser, if it has one. */
export function deviceChannel(): string | undefined {
  return remembered()?.channel_id;
}

/** Asks the person, subscribes, and tells the server. Returns whether the person agreed. */
export async function turnOn(applicationServerKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== "granted") return false;
  await navigator.serviceWorker.register("/sw.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  // A subscription with the key of another installation, or of an older secret, is of no use here.
  await (await pushManager.getSubscription())?.unsubscribe();
  await save(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
  return true;
}

export async function turnOff(): Promise<void> {
  const known = remembered();
  localStorage.removeItem(PLACE);
  const registration = await navigator.serviceWorker?.getRegistration("/");
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
  if (known) await api.call("removeChannel", { params: { id: known.channel_id } }).catch(() => {});
}

/** The browser may have replaced its subscription while no page was open. */
export async function compareSubscription(): Promise<void> {
  const known = remembered();
  if (!known || !("serviceWorker" in navigator)) return;
  const subscription = await (await navigator.serviceWorker.getRegistration("/"))?.pushManager.getSubscription();
  if (subscription && subscription.endpoint !== known.endpoint) await save(subscription);
}

async function save(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  const { browser, system } = deviceIn(navigator.userAgent);
  const label = [browser, system].filter(Boolean).join(" · ");
  const { channel } = await api.call("addChannel", {
    body: {
      target: {
        kind: "web_push",
        subscription: {
          endpoint: endpoint ?? subscription.endpoint,
          keys: { p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" },
        },
      },
      ...(label && { label }),
    },
  });
  const saved: Remembered = { channel_id: channel.id, endpoint: subscription.endpoint };
  localStorage.setItem(PLACE, JSON.stringify(saved));
}

function remembered(): Remembered | undefined {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}
