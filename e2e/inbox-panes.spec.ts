import type { Page } from "@playwright/test";
import { ask, LICENCE, openCards, reload, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";

const list = (page: Page) => page.locator("#inbox-list");
const widthOf = async (page: Page) => (await list(page).boundingBox())?.width ?? 0;

test.describe("on a tablet", () => {
  test.use({ viewport: { width: 820, height: 1180 } });

  test("the list is beside the question", async ({ page, request }) => {
    await ask(request, { ...LICENCE, agent: "tablet", question_text: "Beside the list?" });
    await visit(page, "/?agent=tablet");
    await expect(openCards(page)).toContainText(["Beside the list?"]);
    await expect(page.getByRole("link", { name: "Beside the list?" })).toBeVisible();
    await expect(page.getByRole("separator", { name: "Width of the list" })).toBeHidden();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(820);
  });
});

test.describe("on a wide screen", () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test("the list is as wide as the person made it, with keys or the pointer, also next time", async ({
    page,
    request,
  }) => {
    await ask(request, { ...LICENCE, agent: "wide", question_text: "How wide?" });
    await visit(page, "/?agent=wide");
    await expect(page).toHaveTitle(/Inbox · Parley$/);
    const divider = page.getByRole("separator", { name: "Width of the list" });
    const usual = await widthOf(page);
    await expect(divider).toHaveAttribute("aria-valuenow", String(usual));
    await divider.focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => widthOf(page)).toBe(usual + 16);
    await expect(divider).toHaveAttribute("aria-valuenow", String(usual + 16));
    await page.keyboard.press("Home");
    await expect.poll(() => widthOf(page)).toBe(288);
    const line = await divider.boundingBox();
    if (!line) throw new Error("there is no divider");
    await page.mouse.move(line.x + line.width / 2, 400);
    await page.mouse.down();
    await page.mouse.move(line.x + 200, 420, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => widthOf(page)).toBeGreaterThan(400);
    const chosen = await widthOf(page);
    await reload(page);
    await expect.poll(() => widthOf(page)).toBe(chosen);
    await divider.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => widthOf(page)).toBe(usual);
  });

  test("the first row is two steps away for keys, and no target is smaller than 24 px", async ({ page, request }) => {
    await ask(request, { ...LICENCE, agent: "stops", question_text: "How many stops?" });
    await visit(page, "/?agent=stops");
    const row = page.getByRole("link", { name: "How many stops?" });
    await expect(page.getByRole("toolbar").getByRole("button")).toHaveCount(3);
    await page.getByRole("link", { name: "Skip to content" }).focus();
    await page.keyboard.press("Enter");
    await expect(row).toBeFocused();
    // The three menus are one stop.
    await page.getByRole("button", { name: "Filter", exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    await expect(page.getByRole("button", { name: "Sort and group" })).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(page.getByRole("searchbox", { name: "Search" })).toBeFocused();
    const box = page.getByRole("checkbox", { name: "Select: How many stops?" });
    for (const target of [
      box,
      page.getByRole("link", { name: "API" }),
      page.getByRole("button", { name: "Set up a team" }),
    ]) {
      const { width, height } = (await target.boundingBox()) ?? { width: 0, height: 0 };
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
    }
  });
});
