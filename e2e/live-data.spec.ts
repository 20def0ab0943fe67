import type { Page } from "@playwright/test";
import { answer, ask, LICENCE, openCount, settledCards, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";

/** The paths of the API that the page reads from now on. */
function readsOf(page: Page): string[] {
  const reads: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === "GET" && pathname.startsWith("/api/")) reads.push(pathname);
  });
  return reads;
}

test("an open inbox counts what agents ask without reading the inbox again", async ({ page, request }) => {
  const open = async () => (await (await request.get("/api/inbox?limit=1")).json()).counts.open;
  const row = (question: string) => page.getByRole("link", { name: question });
  await visit(page, "/");
  await ask(request, { ...LICENCE, question_text: "Is it live?" });
  await expect(row("Is it live?").first()).toBeVisible();
  const reads = readsOf(page);
  const asked = [];
  for (let nth = 0; nth < 12; nth++) asked.push(await ask(request, { ...LICENCE, question_text: `Counted ${nth}?` }));
  await expect(openCount(page).first()).toHaveText(new RegExp(`^${await open()}\\b`));
  for (const each of asked.slice(0, 6)) await answer(request, each, "mit");
  await expect(openCount(page).first()).toHaveText(new RegExp(`^${await open()}\\b`));
  // At most what was still under way from before: connecting reads the list once.
  expect(reads.filter((path) => path === "/api/inbox").length).toBeLessThan(2);
});

test("a subscription that is refused is shown with the reason, and tried again", async ({ page, request }) => {
  let isRefusing = true;
  await page.routeWebSocket(/socket\.io/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      const command = /^42(\d+)\["inbox\.subscribe"/.exec(String(message));
      const error = { code: "STORAGE_UNAVAILABLE", message: "The disk is full." };
      if (command && isRefusing) socket.send(`43${command[1]}[${JSON.stringify({ ok: false, error })}]`);
      else server.send(message);
    });
  });
  const agent = "refused";
  await ask(request, { ...LICENCE, agent });
  await visit(page, `/?agent=${agent}`);
  await expect(page.getByText(/New questions do not appear by themselves.*database/)).toBeVisible();
  await expect(page.locator("[data-connection=refused]")).toContainText("Not live");
  isRefusing = false;
  await expect(page.locator("[data-connection=live]")).toBeVisible();
  await expect(page.getByText("New questions do not appear by themselves")).toHaveCount(0);
});

test.describe("a page that was offline", () => {
  test.use({ expectedErrors: [/WebSocket connection|Failed to load resource|ERR_|net::/] });

  test("reads the asks of the rounds that it missed together", async ({ page, request, context }) => {
    const first = await ask(request, LICENCE);
    const { session_id } = first;
    await visit(page, `/conversations/${session_id}`);
    await expect(page.locator("[data-connection=live]")).toBeVisible();
    await context.setOffline(true);
    await page.evaluate(() => window.dispatchEvent(new Event("offline")));
    await expect(page.locator("[data-connection=lost]")).toBeVisible();
    await answer(request, first, "mit");
    for (let round = 0; round < 9; round++)
      await answer(request, await ask(request, { ...LICENCE, session_id, question_text: `Round ${round}?` }), "apache");
    const reads = readsOf(page);
    await context.setOffline(false);
    await expect(page.locator("[data-connection=live]")).toBeVisible();
    await expect(settledCards(page).filter({ hasText: "Round 8?" })).toContainText("Apache-2.0");
    await expect(settledCards(page).filter({ hasText: "Round 0?" })).toContainText("Apache-2.0");
    expect(reads.filter((path) => path.startsWith("/api/asks/")).length).toBeLessThan(3);
    expect(reads.filter((path) => path.endsWith("/messages")).length).toBeLessThan(3);
  });
});
