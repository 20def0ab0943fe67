import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import { NextIntlClientProvider } from "next-intl";
import { getLocale, getTimeZone, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { DENSITY_COOKIE, THEME_COOKIE, type Theme } from "../components/preferences/preferences.ts";
import { Frame } from "../components/shell/frame.tsx";
import { MeProvider } from "../components/team/me.tsx";
import { ClockProvider } from "../components/ui/clock.tsx";
import { pageSettings } from "../lib/pages/settings.ts";
import { inter, jetbrainsMono } from "./fonts.ts";
import "./globals.css";
import { hubClient, readMe } from "./hub.ts";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("page");
  return {
    title: { default: "Parley", template: "%s · Parley" },
    description: t("about"),
    icons: { icon: "/favicon.svg", apple: "/icon-apple-180.png" },
    appleWebApp: { title: "Parley" },
  };
}

/** The colours of the navigation (`raised` in globals.css), which the browser's own bars continue. */
const BARS = { light: "#f9f9fb", dark: "#141419" };

export async function generateViewport(): Promise<Viewport> {
  const theme = themeOf(await cookies());
  return {
    interactiveWidget: "resizes-content",
    themeColor:
      theme === "system"
        ? [
            { media: "(prefers-color-scheme: light)", color: BARS.light },
            { media: "(prefers-color-scheme: dark)", color: BARS.dark },
          ]
        : BARS[theme],
  };
}

/** Rendered for each request: a static page could not carry the nonce of the content security policy. */
export const dynamic = "force-dynamic";

export default async function RootLayout({ children }: { children: ReactNode }) {
  const me = await readMe();
  // Visitors who are signing in may not read anything yet.
  const isKnown = me.rights.includes("read");
  const [locale, timeZone, chosen, open] = await Promise.all([
    getLocale(),
    getTimeZone(),
    cookies(),
    isKnown ? openCount() : 0,
  ]);
  const theme = themeOf(chosen);
  const density = oneOf(["comfortable", "compact"] as const, chosen.get(DENSITY_COOKIE)?.value) ?? "comfortable";
  return (
    <html
      lang={locale}
      data-theme={theme}
      data-density={density}
      className={`${inter.variable} ${jetbrainsMono.variable}`}
    >
      <body className="antialiased">
        <NextIntlClientProvider>
          <ClockProvider now={Math.floor(Date.now() / 1_000) * 1_000}>
            <MeProvider me={me}>
              <Frame
                isKnown={isKnown}
                open={open}
                version={pageSettings().version}
                theme={theme}
                density={density}
                timeZone={timeZone}
              >
                {children}
              </Frame>
            </MeProvider>
          </ClockProvider>
        </NextIntlClientProvider>
      </body>
    </html>
  );
}

async function openCount(): Promise<number> {
  return (await (await hubClient()).call("inbox", { query: { limit: 1 } })).counts.open;
}

function themeOf(chosen: Awaited<ReturnType<typeof cookies>>): Theme {
  return oneOf(["light", "dark", "system"] as const, chosen.get(THEME_COOKIE)?.value) ?? "system";
}

function oneOf<Value extends string>(values: readonly Value[], value: string | undefined): Value | undefined {
  return values.find((each) => each === value);
}
