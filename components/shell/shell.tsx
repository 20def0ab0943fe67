"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { KeyGuard } from "../keyboard/key-guard.tsx";
import { useKeyHandler } from "../keyboard/key-handlers.ts";
import { useKeys } from "../keyboard/use-keys.ts";
import { setErrorTexts } from "../live/api.ts";
import { useOpenCount } from "../live/inbox-changes.ts";
import { followPresence } from "../live/presence.ts";
import { useSessionEnded } from "../live/session.ts";
import type { Density, Theme } from "../preferences/preferences.ts";
import { rememberTimeZone } from "../preferences/time-zone.ts";
import { useIsTeam, useMe } from "../team/me.tsx";
import { openDialog } from "../ui/open-dialog.ts";
import { retrying } from "../ui/retrying.ts";
import { useToasts } from "../ui/toast-store.ts";
import { Announcer } from "./announcer.tsx";
import { Navigation } from "./navigation.tsx";
import { useBadge, useNotify } from "./notifier.ts";
import { isPaletteKey, keepKeysForPalette } from "./palette-key.ts";
import { useServiceWorker } from "./use-service-worker.ts";

// Not needed to see a page: it sends what an earlier page could not.
const HeldAnswersNotices = dynamic(
  retrying(async () => (await import("../question/held-answers-notices.tsx")).HeldAnswersNotices),
  { ssr: false },
);
const SettingsDialog = dynamic(retrying(async () => (await import("./settings-dialog.tsx")).SettingsDialog));
const ShortcutsDialog = dynamic(retrying(async () => (await import("./shortcuts-dialog.tsx")).ShortcutsDialog));
const MoreDialog = dynamic(retrying(async () => (await import("./more-dialog.tsx")).MoreDialog));
const TeamDialog = dynamic(retrying(async () => (await import("./team-dialog.tsx")).TeamDialog));
const SessionEnded = dynamic(retrying(async () => (await import("./session-ended.tsx")).SessionEnded));
const Palette = dynamic(retrying(async () => (await import("../palette/palette.tsx")).Palette));
const Toasts = dynamic(retrying(async () => (await import("../ui/toasts.tsx")).Toasts));

type Props = { open: number; version: string; theme: Theme; density: Density; timeZone: string; children: ReactNode };

/** The frame of every page: navigation, and the number of open questions. */
export function Shell({ open: initial, version, theme, density, timeZone, children }: Props) {
  const t = useTranslations("shell");
  const router = useRouter();
  const notify = useNotify();
  const open = useOpenCount(initial, notify);
  const [dialog, setDialog] = useState<"settings" | "shortcuts" | "palette" | "more" | "team">();
  // Effects of a page run before those of its frame, so by then the whole page reacts to clicks and keys.
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  const hasToasts = useToasts().length > 0;
  const errors = useTranslations("errors");
  useEffect(() => setErrorTexts((code) => (errors.has(code) ? errors(code) : undefined)), [errors]);
  useBadge(open);
  const isTeam = useIsTeam();
  useEffect(() => (isTeam ? followPresence() : undefined), [isTeam]);
  const hasZone = useMe().time_zone !== null;
  const isEnded = useSessionEnded();
  useEffect(() => {
    // Nothing waits for this, so the page need not load it first.
    import("../question/use-draft.ts").then(
      ({ removeOldDrafts }) => removeOldDrafts(),
      () => {},
    );
    if (!hasZone && rememberTimeZone(timeZone)) router.refresh();
  }, [router, timeZone, hasZone]);
  useServiceWorker();
  const openPalette = () => {
    keepKeysForPalette();
    setDialog("palette");
  };
  useKeyHandler((event) => {
    if (!isPaletteKey(event) || (openDialog() && dialog !== "palette")) return;
    event.preventDefault();
    if (dialog === "palette") setDialog(undefined);
    else openPalette();
  });
  const goToSearch = () => {
    const field = document.querySelector<HTMLElement>("[data-search]");
    if (field?.checkVisibility()) field.focus();
    else openPalette();
  };
  useKeys(
    {
      "g i": () => router.push("/"),
      "g t": () => router.push("/conversations"),
      "g a": () => router.push("/insights"),
      "g c": () => router.push("/connect"),
      ...(isTeam && {
        "g p": () => router.push("/people"),
        "g s": () => router.push("/spaces"),
        "g k": () => router.push("/keys"),
        "g m": () => router.push("/me"),
      }),
      "g n": () => router.push("/notifications"),
      "/": goToSearch,
      "?": () => setDialog("shortcuts"),
    },
    { inForms: ["/", "?"] },
  );
  // A dialog that opens another one closes after it.
  const close = (which: typeof dialog) => setDialog((current) => (current === which ? undefined : current));

  return (
    <Announcer>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place in this page, in the inbox to a row of the list. */}
      <a
        href="#main"
        onClick={(event) => {
          const row = document.querySelector<HTMLElement>("[data-skip-to] a[tabindex='0']");
          if (!row) return;
          event.preventDefault();
          row.focus();
        }}
        className="sr-only focus:not-sr-only focus:absolute focus:z-30 focus:rounded-md focus:bg-page focus:p-3"
      >
        {t("skip")}
      </a>
      <div className="flex h-dvh flex-col-reverse sm:flex-row" data-ready={isReady || undefined}>
        <Navigation
          open={open}
          version={version}
          onPalette={openPalette}
          onSettings={() => setDialog("settings")}
          onMore={() => setDialog("more")}
          onTeam={() => setDialog("team")}
        />
        {/* What appears takes room of its own: on the page, it could cover a button at the moment of a press. */}
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <main id="main" className="relative min-h-0 flex-1 overflow-y-auto">
            {children}
          </main>
          <KeyGuard />
          <HeldAnswersNotices />
          {hasToasts && <Toasts />}
        </div>
      </div>
      {dialog === "settings" && (
        <SettingsDialog
          theme={theme}
          density={density}
          onShortcuts={() => setDialog("shortcuts")}
          onClose={() => close("settings")}
        />
      )}
      {dialog === "shortcuts" && <ShortcutsDialog onClose={() => close("shortcuts")} />}
      {dialog === "more" && (
        <MoreDialog
          version={version}
          onSettings={() => setDialog("settings")}
          onTeam={() => setDialog("team")}
          onClose={() => close("more")}
        />
      )}
      {dialog === "team" && <TeamDialog onClose={() => close("team")} />}
      {isEnded && <SessionEnded />}
      {dialog === "palette" && (
        <Palette
          onSettings={() => setDialog("settings")}
          onShortcuts={() => setDialog("shortcuts")}
          onClose={() => close("palette")}
        />
      )}
    </Announcer>
  );
}
