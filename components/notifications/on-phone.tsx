"use client";

import { generate } from "lean-qr";
import { toSvgSource } from "lean-qr/extras/svg";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { useIsTeam } from "../team/me.tsx";
import { Section } from "../ui/page.tsx";
import { isOnlyHere } from "./only-here.ts";

/** How to get notified on a phone: the address as a QR code, and the extra steps for an iPhone. */
export function OnPhone() {
  const t = useTranslations("notifications.phone");
  const isTeam = useIsTeam();
  // Only the browser knows under which address the page is open.
  const [code, setCode] = useState<string>();
  const [isLocal, setLocal] = useState(false);
  useEffect(() => {
    if (isOnlyHere(window.location.hostname)) return setLocal(true);
    const svg = toSvgSource(generate(`${window.location.origin}/notifications`), { on: "#16161d", off: "#ffffff" });
    setCode(`data:image/svg+xml,${encodeURIComponent(svg)}`);
  }, []);
  // Without accounts only this machine can reach Parley, so a phone needs ntfy.
  if (!isTeam) return <Section title={t("title")} about={t("alone")} />;
  if (isLocal) return <Section title={t("title")} about={t("local", { address: window.location.origin })} />;
  return (
    <Section title={t("title")} about={t("about")}>
      <div className="flex flex-col gap-4 rounded-lg border border-line bg-page p-4 sm:flex-row">
        <span className="size-36 shrink-0 rounded-md bg-white p-1">
          {/* biome-ignore lint/performance/noImgElement: it is a data address, which needs no optimising. */}
          {code && <img src={code} alt={t("code")} className="size-full [image-rendering:pixelated]" />}
        </span>
        <ol className="list-decimal space-y-1 pl-5 text-sm text-muted">
          <li>{t("scan")}</li>
          <li>{t("ios")}</li>
          <li>{t("then")}</li>
        </ol>
      </div>
    </Section>
  );
}
