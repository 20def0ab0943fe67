"use client";

import {
  BellRing,
  Boxes,
  ChartNoAxesColumn,
  Ellipsis,
  Inbox,
  KeyRound,
  MessagesSquare,
  Plug,
  Search,
  Settings,
  Users,
} from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useMe } from "../team/me.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { retrying } from "../ui/retrying.ts";
import { Logo } from "./logo.tsx";

/** On a phone there is room for a few places; the others are under "More". */
const PLACES = [
  { href: "/", name: "inbox", Icon: Inbox, isOnPhone: true },
  { href: "/conversations", name: "conversations", Icon: MessagesSquare, isOnPhone: true },
  { href: "/insights", name: "insights", Icon: ChartNoAxesColumn, isOnPhone: true },
  { href: "/connect", name: "connect", Icon: Plug, isOnPhone: false },
  { href: "/notifications", name: "notifications", Icon: BellRing, isOnPhone: false },
] as const;

/** Only where people have accounts. */
const TEAM_PLACES = [
  { href: "/people", name: "people", Icon: Users, isOnPhone: false },
  { href: "/spaces", name: "spaces", Icon: Boxes, isOnPhone: false },
  { href: "/keys", name: "keys", Icon: KeyRound, isOnPhone: false },
] as const;

// Menus bring the library that positions them.
const AccountMenu = dynamic(
  retrying(async () => (await import("./account-menu.tsx")).AccountMenu),
  { ssr: false, loading: () => <span className="block h-10" /> },
);

/** A tab at the bottom of a phone, an icon at the side of a tablet, a line on a desktop. */
const PLACE =
  "relative flex min-h-13 w-full flex-col items-center justify-center gap-0.5 rounded-md border border-transparent px-1 py-1 text-[0.6875rem] whitespace-nowrap forced-colors:border-[Canvas] sm:min-h-10 sm:px-2 lg:min-h-8 lg:flex-row lg:justify-start lg:gap-2.5 lg:text-sm";
const ELSEWHERE = "text-muted hover:text-ink sm:hover:bg-hover";
const HERE = "font-medium text-ink sm:bg-pressed forced-colors:border-[Highlight]";

type Props = {
  open: number;
  version: string;
  onPalette: () => void;
  onSettings: () => void;
  onMore: () => void;
  /** A person who uses Parley alone may want to let others in. */
  onTeam: () => void;
};

/** The places of Parley, with the number of open questions. */
export function Navigation({ open, version, onPalette, onSettings, onMore, onTeam }: Props) {
  const t = useTranslations("shell");
  const { mode, person } = useMe();
  const path = usePathname();
  return (
    <nav
      aria-label={t("label")}
      className="flex shrink-0 border-t border-line bg-raised sm:w-14 sm:flex-col sm:overflow-y-auto sm:border-t-0 sm:border-r sm:p-2 lg:w-60"
    >
      <Link
        href="/"
        // The first of the places below leads there too.
        tabIndex={-1}
        className="mb-2 hidden h-9 shrink-0 items-center justify-center gap-2 rounded-md px-2 text-lg font-semibold tracking-tight sm:flex lg:justify-start"
      >
        <Logo />
        <span className="sr-only lg:not-sr-only">Parley</span>
      </Link>
      <button
        type="button"
        onClick={onPalette}
        aria-keyshortcuts="Control+K Meta+K"
        className="mb-3 hidden h-8 shrink-0 items-center justify-center gap-2 rounded-md border border-line bg-page px-2 text-sm text-subtle shadow-sm hover:bg-hover hover:text-ink sm:flex lg:justify-start"
      >
        <Search size={14} className="shrink-0" aria-hidden />
        <span className="sr-only min-w-0 flex-1 truncate text-left lg:not-sr-only">{t("search")}</span>
        <span className="hidden lg:block">
          <Kbd>Ctrl K</Kbd>
        </span>
      </button>
      <ul className="flex flex-1 sm:flex-none sm:flex-col sm:gap-0.5">
        {[...PLACES, ...(mode === "team" ? TEAM_PLACES : [])].map(({ href, name, Icon, isOnPhone }) => {
          const isHere = href === "/" ? path === "/" : path.startsWith(href);
          return (
            <li key={name} className={`min-w-0 flex-auto ${isOnPhone ? "" : "max-sm:hidden"}`}>
              <Link
                href={href}
                aria-current={isHere ? "page" : undefined}
                className={`${PLACE} ${isHere ? HERE : ELSEWHERE}`}
              >
                <Icon size={16} className={isHere ? "text-accent" : ""} aria-hidden />
                <Label>{t(name)}</Label>
                {name === "inbox" && open > 0 && <OpenCount count={open} />}
              </Link>
            </li>
          );
        })}
        <li className="min-w-0 flex-auto sm:hidden">
          <button type="button" onClick={onPalette} className={`${PLACE} ${ELSEWHERE}`}>
            <Search size={16} aria-hidden />
            <Label>{t("searchShort")}</Label>
          </button>
        </li>
        <li className="min-w-0 flex-auto max-sm:hidden">
          <button type="button" onClick={onSettings} className={`${PLACE} ${ELSEWHERE}`}>
            <Settings size={16} aria-hidden />
            <Label>{t("settings")}</Label>
          </button>
        </li>
        <li className="min-w-0 flex-auto sm:hidden">
          <button type="button" onClick={onMore} className={`${PLACE} ${ELSEWHERE}`}>
            <Ellipsis size={16} aria-hidden />
            <Label>{t("more")}</Label>
          </button>
        </li>
      </ul>
      <div className="mt-auto max-sm:hidden">
        {person && <AccountMenu person={person} />}
        {mode === "open" && (
          <p className="hidden px-2 pb-2 text-xs text-subtle lg:block">
            <span className="block">{t("alone")}</span>
            <button
              type="button"
              className="min-h-6 rounded-sm underline underline-offset-2 hover:text-ink"
              onClick={onTeam}
            >
              {t("setUpTeam")}
            </button>
          </p>
        )}
      </div>
      <p className="hidden px-2 pt-1 text-xs text-subtle lg:block">
        <a className="inline-flex min-h-6 min-w-6 items-center rounded-sm hover:text-ink" href="/api/docs">
          API
        </a>{" "}
        · {version}
      </p>
    </nav>
  );
}

function Label({ children }: { children: ReactNode }) {
  return <span className="sm:sr-only lg:not-sr-only">{children}</span>;
}

function OpenCount({ count }: { count: number }) {
  const t = useTranslations("shell");
  return (
    <span
      className="absolute top-0.5 left-1/2 ml-2 min-w-4 rounded-full border border-transparent bg-accent px-1 text-center text-[0.625rem] leading-3.5 font-semibold text-on-accent tabular-nums sm:-top-0.5 sm:-right-1 sm:left-auto sm:ml-0 lg:static lg:ml-auto lg:text-[0.6875rem] lg:leading-4"
      data-testid="open-count"
    >
      {count}
      <span className="sr-only"> {t("waiting")}</span>
    </span>
  );
}
