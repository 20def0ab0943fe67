import type { Page } from "@playwright/test";
import { ask, LICENCE, openCards, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";

const rows = (page: Page) => page.locator("[data-item] a");
/** The highlighted texts, as the page draws them. */
const hits = (page: Page) =>
  page.evaluate(() => [...(CSS.highlights.get("hits") ?? [])].map((range) => String(range)).toSorted());

test("a search finds whole words, highlights them, and the card is one of those found", async ({ page, request }) => {
  for (const shard of [6, 7, 17, 70])
    await ask(request, { ...LICENCE, agent: "shards", question_text: `Retry shard ${shard} of payments?` });
  await visit(page, "/?agent=shards");
  await expect(rows(page)).toHaveCount(4);
  await expect(openCards(page)).toContainText(["shard 6"]);
  const search = page.getByRole("searchbox", { name: "Search" });
  await search.fill("shard 7 payments");
  await expect(rows(page)).toHaveText(["Retry shard 7 of payments?"]);
  await expect(openCards(page)).toContainText(["shard 7 of"]);
  // Once in the row, and once in the card.
  await expect.poll(() => hits(page)).toEqual(["7", "7", "payments", "payments", "shard", "shard"]);
  await search.fill('"shard 17"');
  await expect(openCards(page)).toContainText(["shard 17 of"]);
  await expect.poll(() => hits(page)).toEqual(["shard 17", "shard 17"]);
  await search.fill('"of shard"');
  await expect(page.getByText("No open questions match").first()).toBeVisible();
  await expect(openCards(page)).toHaveCount(0);
  await expect.poll(() => hits(page)).toEqual([]);
  await search.fill("");
  await expect(rows(page)).toHaveCount(4);
});

test("a question from a list that a search has replaced does not stay beside its results", async ({
  page,
  request,
}) => {
  await ask(request, { ...LICENCE, agent: "panes", question_text: "Stays in the list?" });
  await ask(request, { ...LICENCE, agent: "panes", question_text: "Leaves the list?" });
  await visit(page, "/?agent=panes");
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/api\/inbox\?.*q=stays/, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole("searchbox", { name: "Search" }).fill("stays");
  await expect(page).toHaveURL(/q=stays/);
  // The old list is still there, and so can be clicked.
  await page.getByRole("link", { name: "Leaves the list?" }).click();
  await expect(openCards(page)).toContainText(["Leaves the list?"]);
  release();
  await expect(rows(page)).toHaveText(["Stays in the list?"]);
  await expect(openCards(page)).toContainText(["Stays in the list?"]);
});
