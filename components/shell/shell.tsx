"use client";

import { Inbox, MessagesSquare, Plug, Settings } from "lucide-react";
import Link from "next/link";
import { usePathname, useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { KeyGuard } from "../keyboard/key-guard.tsx";
import { useKeys } from "../keyboard/use-keys.ts";
import { setErrorTexts } from "../live/api.ts";
import { useOpenCount } from "../live/inbox-changes.ts";
import type { Density, Theme } from "../preferences/preferences.ts";
import { rememberTimeZone } from "../preferences/time-zone.ts";
import { removeOldDrafts } from "../question/use-draft.ts";
import { Announcer } from "./announcer.tsx";
import { useBadge, useNotify } from "./notifier.ts";
import { SettingsDialog } from "./settings-dialog.tsx";
import { ShortcutsDialog } from "./shortcuts-dialog.tsx";

const PLACES = [
  { href: "/", name: "inbox", Icon: Inbox },
  { href: "/conversations", name: "conversations", Icon: MessagesSquare },
  { href: "/connect", name: "connect", Icon: Plug },
] as const;

type Props = { open: number; version: string; theme: Theme; density: Density; timeZone: string; children: ReactNode };

/** The frame of every page: navigation, and the number of open questions. */
export function Shell({ open: initial, version, theme, density, timeZone, children }: Props) {
  const t = useTranslations("shell");
  const path = usePathname();
  const router = useRouter();
  const notify = useNotify();
  const open = useOpenCount(initial, notify);
  const [dialog, setDialog] = useState<"settings" | "shortcuts">();
  // Effects of a page run before those of its frame, so by then the whole page reacts to clicks and keys.
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  const errors = useTranslations("errors");
  useEffect(() => setErrorTexts((code) => (errors.has(code) ? errors(code) : undefined)), [errors]);
  useBadge(open);
  useEffect(() => {
    removeOldDrafts();
    if (rememberTimeZone(timeZone)) router.refresh();
  }, [router, timeZone]);
  useKeys({
    "g i": () => router.push("/"),
    "g t": () => router.push("/conversations"),
    "g c": () => router.push("/connect"),
    "?": () => setDialog("shortcuts"),
  });

  return (
    <Announcer>
      <a href="#main" className="sr-only focus:not-sr-only focus:absolute focus:z-30 focus:bg-page focus:p-3">
        {t("skip")}
      </a>
      <div className="flex h-dvh flex-col-reverse sm:flex-row" data-ready={isReady || undefined}>
        <nav
          aria-label={t("label")}
          className="flex shrink-0 border-t border-line bg-raised sm:w-52 sm:flex-col sm:border-t-0 sm:border-r sm:px-3 sm:py-4"
        >
          <Link href="/" className="mb-4 hidden px-2 text-lg font-semibold tracking-tight sm:block">
            Parley
          </Link>
          <ul className="flex flex-1 sm:flex-none sm:flex-col sm:gap-1">
            {PLACES.map(({ href, name, Icon }) => {
              const isHere = href === "/" ? path === "/" : path.startsWith(href);
              return (
                <li key={name} className="flex-1">
                  <Link
                    href={href}
                    aria-current={isHere ? "page" : undefined}
                    className={`relative flex min-h-12 flex-col items-center justify-center gap-0.5 rounded-md px-0.5 py-1 text-[0.6875rem] sm:px-2 sm:min-h-9 sm:flex-row sm:justify-start sm:gap-2.5 sm:text-sm ${
                      isHere ? "bg-chosen font-medium text-accent" : "text-muted hover:bg-sunken hover:text-ink"
                    }`}
                  >
                    <Icon size={18} aria-hidden />
                    <span>{t(name)}</span>
                    {name === "inbox" && open > 0 && (
                      <span
                        className="absolute top-0.5 left-1/2 ml-2 rounded-full bg-accent px-1.5 text-xs font-semibold text-on-accent sm:static sm:ml-auto"
                        data-testid="open-count"
                      >
                        {open}
                        <span className="sr-only"> {t("waiting")}</span>
                      </span>
                    )}
                  </Link>
                </li>
              );
            })}
            <li className="flex-1">
              <button
                type="button"
                onClick={() => setDialog("settings")}
                className="flex min-h-12 w-full flex-col items-center justify-center gap-0.5 rounded-md px-0.5 py-1 text-[0.6875rem] sm:px-2 text-muted hover:bg-sunken hover:text-ink sm:min-h-9 sm:flex-row sm:justify-start sm:gap-2.5 sm:text-sm"
              >
                <Settings size={18} aria-hidden />
                <span>{t("settings")}</span>
              </button>
            </li>
          </ul>
          <p className="mt-auto hidden px-2 text-xs text-muted sm:block">
            <a className="hover:text-ink" href="/api/docs">
              API
            </a>{" "}
            · {version}
          </p>
        </nav>
        <main id="main" className="min-h-0 min-w-0 flex-1 overflow-y-auto">
          {children}
        </main>
      </div>
      <KeyGuard />
      {dialog === "settings" && (
        <SettingsDialog
          theme={theme}
          density={density}
          onShortcuts={() => setDialog("shortcuts")}
          onClose={() => setDialog((d) => (d === "settings" ? undefined : d))}
        />
      )}
      {dialog === "shortcuts" && <ShortcutsDialog onClose={() => setDialog(undefined)} />}
    </Announcer>
  );
}
