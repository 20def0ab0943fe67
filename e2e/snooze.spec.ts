import type { APIRequestContext, Page } from "@playwright/test";
import type { AskView } from "../lib/protocol/ask.ts";
import { ask, LICENCE, live, openCards, ready, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";
import { accessible } from "./looks.ts";

const row = (page: Page, { inbox_item_id }: AskView) => page.locator(`[data-item="${inbox_item_id}"]`);
const dialog = (page: Page) => page.getByRole("dialog");
const snoozed = (page: Page) => page.getByRole("button", { name: /^\d+ snoozed$/ });

async function putAway(request: APIRequestContext, { inbox_item_id }: AskView, until: number | null): Promise<void> {
  const body = { inbox_item_ids: [inbox_item_id], until: until && new Date(until).toISOString() };
  const response = await request.post("/api/inbox/snooze", { data: body });
  expect(await response.json()).toMatchObject({ results: [{ success: true }] });
}

async function twoQuestions(request: APIRequestContext, agent: string): Promise<[AskView, AskView]> {
  const first = await ask(request, { ...LICENCE, agent, question_text: "First?" });
  return [first, await ask(request, { ...LICENCE, agent, question_text: "Second?" })];
}

test("a key puts a question away in every window; it is listed, and comes back at once or with Undo", async ({
  page,
  request,
  context,
}) => {
  const [first, second] = await twoQuestions(request, "later");
  const other = await context.newPage();
  await visit(other, "/?agent=later");
  await live(other);
  await visit(page, "/?agent=later");
  await live(page);
  await ready(page);
  await page.keyboard.press("h");
  await expect(dialog(page).getByRole("button", { name: "In an hour" })).toBeFocused();
  await accessible(page, "putting a question away");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(dialog(page)).toHaveCount(0);
  // The next one is shown, and it is gone everywhere.
  await expect(openCards(page)).toContainText(["Second?"]);
  await expect(row(page, first)).toHaveCount(0);
  await expect(row(page, second)).toBeVisible();
  // There it is selected, so it stays until the person moves on.
  await expect(row(other, first).getByTestId("snoozed")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(row(page, first)).toBeVisible();
  await expect(openCards(page)).toContainText(["First?"]);
  await expect(row(other, first).getByTestId("snoozed")).toHaveCount(0);

  await putAway(request, first, Date.now() + 3_600_000);
  await snoozed(page).click();
  await expect(page).toHaveURL(/snoozed=1/);
  await expect(row(page, first).getByTestId("snoozed")).toBeVisible();
  await expect(row(page, second)).toHaveCount(0);
  await expect(openCards(page)).toContainText(["First?"]);
  await page.getByRole("button", { name: "Wake now" }).click();
  await expect(page.getByText("No open questions match").first()).toBeVisible();
  await page.getByRole("button", { name: "Remove filter: Agent" }).click();
  await expect(page.getByText("Nothing is snoozed").first()).toBeVisible();
  await page.getByRole("button", { name: "Show open questions" }).first().click();
  await expect(page).not.toHaveURL(/snoozed/);
  await expect(snoozed(page)).toHaveCount(0);
  await visit(page, "/?agent=later");
  await expect(row(page, first)).toBeVisible();
});

test("comes back by itself while the page is open", async ({ page, request }) => {
  const [first, second] = await twoQuestions(request, "returns");
  await visit(page, `/?agent=returns&item=${first.inbox_item_id}`);
  await live(page);
  await putAway(request, second, Date.now() + 8_000);
  await expect(row(page, second)).toHaveCount(0);
  await expect(row(page, second)).toBeVisible();
  await expect(row(page, second).getByTestId("snoozed")).toHaveCount(0);
});

test("any time can be picked, a nearer deadline wins, and several are put away together", async ({ page, request }) => {
  const due = await ask(request, { ...LICENCE, agent: "picks", question_text: "Due soon?", timeout_s: 3_600 });
  const other = await ask(request, { ...LICENCE, agent: "picks", question_text: "Whenever?" });
  await visit(page, "/?agent=picks");
  await live(page);
  await ready(page);
  await page.keyboard.press("h");
  await expect(dialog(page)).toContainText("at the latest 15 minutes before its deadline");
  const field = dialog(page).getByLabel("Pick a time");
  for (const year of [2020, 2099]) {
    await field.fill(`${year}-01-01T09:00`);
    await field.press("Enter");
    await expect(dialog(page).getByRole("alert")).toContainText("Choose a time within the next year.");
  }
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);

  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.keyboard.press("h");
  await expect(dialog(page)).toContainText("Snooze 2 questions until when?");
  await dialog(page).getByRole("button", { name: "Tomorrow" }).click();
  await expect(
    page.getByText(/2 questions snoozed until .*, or until shortly before their deadline/).first(),
  ).toBeVisible();
  for (const each of [due, other]) await expect(row(page, each)).toHaveCount(0);
  for (const each of [due, other]) await putAway(request, each, null);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test("two taps put a question away and show the next one", async ({ page, request }) => {
    const [first] = await twoQuestions(request, "phone-later");
    await visit(page, "/?agent=phone-later");
    await page.getByRole("link", { name: "First?" }).tap();
    await page.getByRole("button", { name: "Snooze", exact: true }).tap();
    await dialog(page).getByRole("button", { name: "Tomorrow" }).tap();
    await expect(openCards(page)).toContainText(["Second?"]);
    await page.getByRole("button", { name: "Inbox", exact: true }).tap();
    await expect(row(page, first)).toHaveCount(0);
    await snoozed(page).tap();
    await expect(row(page, first)).toBeVisible();
    await putAway(request, first, null);
  });
});
