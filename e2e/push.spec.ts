import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test as base, expect } from "@playwright/test";
import type { Browser, Page } from "puppeteer-core";
import { findFirefox } from "../scripts/setup/firefox.mjs";
import { LICENCE } from "./asking.ts";
import { startFirefox } from "./firefox.ts";
import { inMemory, sendPageSecret } from "./page-secret.ts";
import { type PushService, startPushService } from "./push-service.ts";
import { startServer, type TestServer } from "./server.ts";
import { ANA, asAna, newAgent } from "./team.ts";

// Nothing is left out between the button and the notification: Firefox subscribes, Parley encrypts and posts, the push
// service passes it on, and Firefox decrypts it and wakes the service worker.

type Fixtures = { program: string; folder: string; service: PushService; server: TestServer; firefox: Browser };

const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures this one needs.
  program: async ({}, use, testInfo) => {
    const found = await findFirefox();
    if ("missing" in found) {
      console.warn(`SKIPPED: web push in a real Firefox. ${found.missing}`);
      return testInfo.skip(true, found.missing);
    }
    await use(found.program);
  },
  folder: async ({ program: _ }, use) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), "parley-firefox-"));
    await use(folder);
    await rm(folder, { recursive: true, force: true });
  },
  service: async ({ program: _ }, use) => {
    const service = await startPushService();
    await use(service);
    await service.stop();
  },
  server: async ({ folder, service }, use) => {
    const ca = path.join(folder, "ca.pem");
    await writeFile(ca, service.ca);
    const server = await startServer({ NOTIFY_PRIVATE_HOSTS: "localhost", NODE_EXTRA_CA_CERTS: ca });
    await use(server);
    await server.stop();
  },
  firefox: async ({ program, folder, service }, use) => {
    const firefox = await startFirefox(program, folder, service.browserUrl);
    await use(firefox);
    await firefox.close();
  },
  baseURL: async ({ server }, use) => use(server.url),
});

/** As long as a slow machine needs: only a failure takes this time. */
const PATIENCE_MS = 200_000;

const button = (page: Page, name: string) => page.waitForSelector(`::-p-aria([name="${name}"][role="button"])`);
const field = (page: Page, name: string) => page.waitForSelector(`::-p-aria([name="${name}"][role="textbox"])`);
// Not with locators: the frames that they wait for do not always come in a Firefox without a screen.
const click = async (page: Page, name: string) => (await button(page, name))?.click();

async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.waitForSelector("body > [data-ready]");
}

/** The notifications that Firefox shows, read on a page of this origin. */
const shown = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }));
  });

test("a question reaches a Firefox in which Parley is closed", async ({ firefox, server, service, request }) => {
  sendPageSecret(request, inMemory());
  await asAna(server, request);
  const channels = async () => (await (await request.get("/api/me/channels")).json()).channels;
  const page = await firefox.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await visit(page, `${server.url}/notifications`);
  await (await field(page, "Email or login"))?.type(ANA.login);
  await (await page.$("input[type=password]"))?.type(ANA.password);
  await click(page, "Sign in");

  await click(page, "Turn on");
  await button(page, "Send a test");
  expect(service.endpoints()).toHaveLength(1);
  expect(await channels()).toMatchObject([{ kind: "web_push", label: expect.stringContaining("Firefox") }]);
  await click(page, "Send a test");
  await expect.poll(() => shown(page)).toMatchObject([{ tag: "test" }]);
  await expect.poll(service.delivered).toBe(1);

  await page.goto("about:blank");
  const agent = await newAgent(request, "builder");
  const asked = await agent.ask({ ...LICENCE, allow_other: false });
  await expect.poll(service.delivered).toBe(2);
  for (const body of service.posted) expect(body.toString("latin1")).not.toMatch(/licence|Parley/);
  // A file of Parley's, which is not its app.
  await page.goto(`${server.url}/sw.js`);
  await expect
    .poll(() => shown(page))
    .toContainEqual({ title: "builder has a question", body: "Which licence?", tag: asked.inbox_item_id });

  await visit(page, `${server.url}/notifications`);
  await click(page, "Turn off");
  await button(page, "Turn on");
  await expect.poll(channels).toEqual([]);
  await expect.poll(service.endpoints).toEqual([]);
});
