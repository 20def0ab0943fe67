"use client";

import { Inbox, MessagesSquare, Plug, Settings } from "lucide-react";
import dynamic from "next/dynamic";
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
import { useToasts } from "../ui/toast-store.ts";
import { Announcer } from "./announcer.tsx";
import { useBadge, useNotify } from "./notifier.ts";

const SettingsDialog = dynamic(async () => (await import("./settings-dialog.tsx")).SettingsDialog);
const ShortcutsDialog = dynamic(async () => (await import("./shortcuts-dialog.tsx")).ShortcutsDialog);

const Toasts = dynamic(async () => (await import("../ui/toasts.tsx")).Toasts);

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
  const hasToasts = useToasts().length > 0;
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
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-30 focus:rounded-md focus:bg-page focus:p-3"
      >
        {t("skip")}
      </a>
      <div className="flex h-dvh flex-col-reverse sm:flex-row" data-ready={isReady || undefined}>
        <nav
          aria-label={t("label")}
          className="flex shrink-0 border-t border-line bg-raised sm:w-14 sm:flex-col sm:border-t-0 sm:border-r sm:p-2 lg:w-52"
        >
          <Link
            href="/"
            className="mb-3 hidden h-9 items-center gap-2 rounded-md px-2 text-lg font-semibold tracking-tight sm:flex"
          >
            <Logo />
            <span className="sr-only lg:not-sr-only">Parley</span>
          </Link>
          <ul className="flex flex-1 sm:flex-none sm:flex-col sm:gap-0.5">
            {PLACES.map(({ href, name, Icon }) => {
              const isHere = href === "/" ? path === "/" : path.startsWith(href);
              return (
                <li key={name} className="flex-1">
                  <Link
                    href={href}
                    aria-current={isHere ? "page" : undefined}
                    className={`${PLACE} ${isHere ? "font-medium text-ink sm:bg-pressed" : "text-muted hover:text-ink sm:hover:bg-hover"}`}
                  >
                    <Icon size={16} className={isHere ? "text-accent" : ""} aria-hidden />
                    <span className="sm:sr-only lg:not-sr-only">{t(name)}</span>
                    {name === "inbox" && open > 0 && <OpenCount count={open} />}
                  </Link>
                </li>
              );
            })}
            <li className="flex-1">
              <button
                type="button"
                onClick={() => setDialog("settings")}
                className={`${PLACE} w-full text-muted hover:text-ink sm:hover:bg-hover`}
              >
                <Settings size={16} aria-hidden />
                <span className="sm:sr-only lg:not-sr-only">{t("settings")}</span>
              </button>
            </li>
          </ul>
          <p className="mt-auto hidden px-2 text-xs text-subtle lg:block">
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
      {hasToasts && <Toasts />}
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

/** A place in the navigation: a tab at the bottom of a phone, an icon at the side of a tablet, a line on a desktop. */
const PLACE =
  "relative flex min-h-12 flex-col items-center justify-center gap-0.5 rounded-md px-0.5 py-1 text-[0.6875rem] sm:min-h-10 sm:px-2 lg:min-h-8 lg:flex-row lg:justify-start lg:gap-2.5 lg:text-sm";

function OpenCount({ count }: { count: number }) {
  const t = useTranslations("shell");
  return (
    <span
      className="absolute top-0.5 left-1/2 ml-1 min-w-4 rounded-full bg-accent px-1 text-center text-[0.6875rem] leading-4 font-semibold text-on-accent tabular-nums lg:static lg:ml-auto"
      data-testid="open-count"
    >
      {count}
      <span className="sr-only"> {t("waiting")}</span>
    </span>
  );
}

/** The same mark as the favicon. */
function Logo() {
  return (
    <svg viewBox="0 0 32 32" className="size-5 shrink-0" aria-hidden="true">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M9 10.5A2.5 2.5 0 0 1 11.5 8h9a2.5 2.5 0 0 1 2.5 2.5v6a2.5 2.5 0 0 1-2.5 2.5H15l-4 4v-4a2 2 0 0 1-2-2z"
        className="fill-on-accent"
      />
    </svg>
  );
}
