"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Shows the question whose notification was pressed, and tells Parley if the browser has another subscription now. */
export function useServiceWorker(): void {
  const router = useRouter();
  useEffect(() => {
    if (!("serviceWorker" in navigator)) return;
    const onMessage = ({ data }: MessageEvent<{ open?: string }>) => {
      if (typeof data?.open === "string" && data.open.startsWith("/")) router.push(data.open);
    };
    navigator.serviceWorker.addEventListener("message", onMessage);
    // Nothing waits for this, so the page need not load it first.
    import("../notifications/push.ts").then(
      ({ compareSubscription }) => compareSubscription(),
      () => {},
    );
    return () => navigator.serviceWorker.removeEventListener("message", onMessage);
  }, [router]);
}
