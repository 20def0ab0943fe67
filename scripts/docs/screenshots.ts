// Writes the pictures in docs/ from real servers with a few questions in them: `npm run screenshots`. The README shows two of
// them; docs/screens has every screen and the gallery, on a desktop and on a phone, in both themes.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { PAGE_SECRET_PLACE } from "../../lib/protocol/page-secret.ts";
import playwright from "../../playwright.config.ts";
import { chromium as programs } from "../setup/chromium.mjs";
import { setup } from "../setup/setup.mjs";
import { type ServerProcess, startServer } from "../throwaway/server.ts";
import { fillAlone } from "./fill-alone.ts";
import { fillTeam, type Session } from "./fill-team.ts";
import { AUDIT_KEY, fillWeeks } from "./fill-weeks.ts";

type Look = { viewport: { width: number; height: number }; theme: "light" | "dark" };

const DEVICES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
/** Someone whose name is known, so that nothing asks for it. */
const MEI = { cookie: "parley-name=Mei" };

await setup({ dev: true, build: true });
const folder = await mkdtemp(join(tmpdir(), "parley-screenshots-"));
const browser = await chromium.launch({ ...playwright.use?.launchOptions, executablePath: programs.whole });
const servers: ServerProcess[] = [];
try {
  await mkdir("docs/screens", { recursive: true });
  await fillWeeks(databaseOf("alone"));
  const alone = await start("alone", { AUDIT_KEY });
  const conversation = `/conversations/${await fillAlone(alone.url)}`;
  await takeAll(alone.url, MEI, {
    inbox: "/",
    settled: "/?view=settled",
    conversations: "/conversations",
    conversation,
    insights: "/insights",
    connect: "/connect",
    gallery: "/gallery",
  });
  await takeForReadme(alone.url, conversation);

  const team = await start("team", { NOTIFY_PRIVATE_HOSTS: "127.0.0.1" });
  const { session, join: invitation, claimed } = await fillTeam(team);
  const { pathname, hash } = new URL(invitation);
  await takeAll(team.url, undefined, { "sign-in": "/sign-in", join: pathname + hash });
  await takeAll(team.url, session, {
    team: `/?item=${claimed}`,
    people: "/people",
    spaces: "/spaces",
    keys: "/keys",
    account: "/me",
    notifications: "/notifications",
  });
} finally {
  await browser.close();
  await Promise.all(servers.map((server) => server.stop()));
  await rm(folder, { recursive: true, force: true });
}

function databaseOf(name: string): string {
  return `file:${join(folder, `${name}.db`)}`;
}

/** A server with its own database. */
async function start(name: string, env: Record<string, string> = {}): Promise<ServerProcess & { databaseUrl: string }> {
  const databaseUrl = databaseOf(name);
  const server = await startServer("dist/server.js", { env: { DATABASE_URL: databaseUrl, GALLERY: "true", ...env } });
  servers.push(server);
  return { ...server, databaseUrl };
}

/** Every screen, on both devices and in both themes, as the person with this session sees it. */
async function takeAll(
  url: string,
  session: Partial<Session> | undefined,
  screens: Record<string, string>,
): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    for (const [device, viewport] of Object.entries(DEVICES)) {
      for (const [name, path] of Object.entries(screens)) {
        // A separate page: a new secret after the # alone would not load the page again.
        const page = await open(url, session, { viewport, theme });
        await page.goto(url + path);
        await take(page, `docs/screens/${name}-${device}-${theme}.jpg`, name === "gallery");
        await page.context().close();
      }
    }
  }
}

async function takeForReadme(url: string, conversation: string): Promise<void> {
  const page = await open(url, MEI, { viewport: { width: 1280, height: 800 }, theme: "light" });
  await page.goto(url);
  await take(page, "docs/inbox.png");
  // Tall enough for what the agent said before it asked.
  await page.setViewportSize({ width: 1280, height: 1_000 });
  await page.goto(url + conversation);
  await page.getByRole("radio", { name: "PostgreSQL" }).check();
  await page.getByRole("radio", { name: "18" }).waitFor();
  await take(page, "docs/thread.png");
  await page.context().close();
}

async function open(
  url: string,
  { cookie, page_secret }: Partial<Session> = {},
  { viewport, theme }: Look,
): Promise<Page> {
  const isPhone = viewport.width < 500;
  const context = await browser.newContext({
    viewport,
    isMobile: isPhone,
    hasTouch: isPhone,
    locale: "en-US",
    timezoneId: "UTC",
    reducedMotion: "reduce",
  });
  const [name = "", value = ""] = cookie?.split("=") ?? [];
  await context.addCookies([{ name: "parley-theme", value: theme, url }, ...(cookie ? [{ name, value, url }] : [])]);
  if (page_secret) {
    const kept = [PAGE_SECRET_PLACE, page_secret] as const;
    await context.addInitScript(([place, secret]) => localStorage.setItem(place, secret), kept);
  }
  return context.newPage();
}

async function take(page: Page, path: string, isWhole = false): Promise<void> {
  await page.locator("body > [data-ready]").waitFor();
  // Code is highlighted, plots are drawn and the first question is opened after the page has loaded.
  await page.waitForLoadState("networkidle").catch(() => {});
  await page.waitForTimeout(1_000);
  if (isWhole) {
    // The page scrolls inside its frame.
    const height = await page.locator("main").evaluate((main) => main.scrollHeight);
    await page.setViewportSize({ width: page.viewportSize()?.width ?? 1440, height });
    await page.waitForTimeout(1_000);
  }
  const type = path.endsWith(".jpg") ? ({ type: "jpeg", quality: 80 } as const) : {};
  await page.screenshot({ path, animations: "disabled", caret: "hide", ...type });
  console.log(`wrote ${path}`);
}
