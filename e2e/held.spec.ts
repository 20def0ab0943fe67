import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { type Browser, type Page, chromium as playwright } from "@playwright/test";
import { chromium } from "../scripts/setup/chromium.mjs";
import { ask, LICENCE, openCards, readAsk, ready, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";

// An answer that can still be undone survives what happens to the browser and to the connection meanwhile.

const YES_OR_NO = { question_text: "Deploy payments 2.43?", type: "boolean" };
const NEXT = { ...LICENCE, question_text: "Which other licence?" };

type Started = { program: ChildProcess; browser: Browser };

/** Starts a separate browser with this profile, which can be killed. */
async function startBrowser(profile: string): Promise<Started> {
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    "--remote-debugging-port=0",
    `--user-data-dir=${profile}`,
    "about:blank",
  ];
  const program = spawn(chromium.shell, args, { stdio: ["ignore", "ignore", "pipe"] });
  for await (const line of createInterface({ input: program.stderr })) {
    const [, address] = /DevTools listening on (.*)/.exec(line) ?? [];
    if (address) return { program, browser: await playwright.connectOverCDP(address) };
  }
  throw new Error("The browser ended before it could be used");
}

async function kill({ program, browser }: Started): Promise<void> {
  const exited = once(program, "exit");
  program.kill("SIGKILL");
  await exited;
  await browser.close();
}

const pageOf = async ({ browser }: Started): Promise<Page> => {
  const [context] = browser.contexts();
  if (!context) throw new Error("The browser has no window");
  return context.newPage();
};

test("a browser that is killed while an answer can be undone sends it when it is opened again", async ({
  request,
  server,
}) => {
  const asked = await ask(request, { ...YES_OR_NO, agent: "killed" });
  await ask(request, { ...NEXT, agent: "killed" });
  const profile = await mkdtemp(path.join(os.tmpdir(), "parley-browser-"));
  const first = await startBrowser(profile);
  const page = await pageOf(first);
  await visit(page, `${server.url}/?agent=killed&item=${asked.inbox_item_id}`);
  // However slow the machine is, it is not sent before the end.
  await page.route("**/api/task/answer*", () => {});
  await ready(page);
  await page.keyboard.press("y");
  await expect(openCards(page)).toContainText(["Which other licence?"]);
  await kill(first);
  expect((await readAsk(request, asked)).status).toBe("pending");

  const second = await startBrowser(profile);
  await visit(await pageOf(second), `${server.url}/conversations`);
  await expect.poll(async () => (await readAsk(request, asked)).result?.answers[0]?.value).toBe(true);
  await kill(second);
  // Its processes end a moment after it.
  await rm(profile, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
});

test("an answer is sent at once where nothing can be stored, however full or broken the storage is", async ({
  page,
  request,
}) => {
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException("Full", "QuotaExceededError");
    };
    Storage.prototype.setItem = refuse;
    IDBObjectStore.prototype.put = refuse;
  });
  const asked = await ask(request, { ...YES_OR_NO, agent: "full" });
  await ask(request, { ...NEXT, agent: "full" });
  await visit(page, `/?agent=full&item=${asked.inbox_item_id}`);
  await ready(page);
  await page.keyboard.press("y");
  await expect(openCards(page)).toContainText(["Which other licence?"]);
  await expect.poll(async () => (await readAsk(request, asked)).result?.answers[0]?.value).toBe(true);
  await expect(page.getByTestId("receipts")).toContainText("Sent");
});

test.describe("offline", () => {
  test.use({ expectedErrors: [/Failed to load resource|ERR_|WebSocket/] });

  for (const kind of ["disconnected", "silent"] as const) {
    for (const second of ["opened before", "opened after"] as const) {
      test(`an answer is sent once after the connection was ${kind}, with a second tab ${second}`, async ({
        context,
        request,
      }) => {
        const agent = `${kind}-${second.replace(" ", "-")}`;
        const asked = await ask(request, { ...YES_OR_NO, agent });
        await ask(request, { ...NEXT, agent });
        const page = await context.newPage();
        await visit(page, `/?agent=${agent}&item=${asked.inbox_item_id}`);
        const openSecond = async () => visit(await context.newPage(), "/conversations");
        if (second === "opened before") await openSecond();
        await ready(page);
        const attempts: string[] = [];
        // What is sent into a silent connection is never answered.
        let isSilent = false;
        await context.route("**/api/task/answer*", (route) => {
          attempts.push(route.request().headers()["idempotency-key"] ?? "");
          return isSilent ? undefined : route.continue();
        });
        await page.keyboard.press("y");
        await expect(openCards(page)).toContainText(["Which other licence?"]);
        if (second === "opened after") await openSecond();
        if (kind === "silent") isSilent = true;
        else await context.setOffline(true);
        await expect.poll(() => attempts.length).toBeGreaterThan(0);
        isSilent = false;
        await context.setOffline(false);
        await expect.poll(async () => (await readAsk(request, asked)).status).toBe("answered");
        expect(new Set(attempts).size).toBe(1);
        const audit = await (await request.get("/api/audit", { params: { session_id: asked.session_id } })).json();
        expect(audit.events.filter((event: { action: string }) => event.action === "question.answered")).toHaveLength(
          1,
        );
      });
    }
  }
});
