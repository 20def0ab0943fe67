import type { APIRequestContext, Page } from "@playwright/test";
import { answer, ask, LICENCE, openCards, readAsk, ready, settledCards, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";

// What a person presses answers only the card that they could read and meant.

const YES_OR_NO = { question_text: "Deploy payments 2.43?", type: "boolean" };
const SHARD = {
  question_text: "Shard 7 is broken. What now?",
  type: "multiple_choice",
  allow_other: true,
  options: [
    { id: "retry", label: "Retry with more memory" },
    { id: "skip", label: "Skip this shard" },
    { id: "drop", label: "Drop the shard" },
  ],
};
/** The deadline takes its default, so the card opens with it chosen. */
const PRESELECTED = {
  ...LICENCE,
  options: [
    { id: "mit", label: "MIT", default: true },
    { id: "apache", label: "Apache-2.0" },
  ],
  on_timeout: "default",
  timeout_s: 600,
};

const submit = (page: Page) => openCards(page).getByRole("button", { name: "Submit" });
const statusOf = async (request: APIRequestContext, asked: Parameters<typeof readAsk>[1]) =>
  (await readAsk(request, asked)).status;
const receipts = (page: Page) => page.getByTestId("receipts");

/** Asks these questions as one agent, and opens the first. */
async function open(page: Page, request: APIRequestContext, agent: string, ...asks: Array<Record<string, unknown>>) {
  const asked = [];
  for (const each of asks) asked.push(await ask(request, { agent, ...each }));
  const [first, second] = asked;
  if (!first) throw new Error("There is no question to open");
  await visit(page, `/?agent=${agent}&item=${first.inbox_item_id}`);
  await expect(openCards(page)).toHaveCount(1);
  await ready(page);
  return { first, second: second ?? first };
}

/** Where the middle of an option is. */
async function middleOf(page: Page, name: string) {
  const box = await openCards(page).getByRole("radio", { name }).boundingBox();
  if (!box) throw new Error(`${name} is not on the page`);
  return [box.x + box.width / 2, box.y + box.height / 2] as const;
}

test("what is typed after Other is its text, however it was chosen", async ({ page, request }) => {
  const sentence = "2 nodes first, then the rest";
  const { first, second } = await open(page, request, "other", SHARD, SHARD);
  await openCards(page).getByRole("radio", { name: "Other…" }).click();
  await page.keyboard.type(sentence);
  await page.keyboard.press("Control+Enter");
  await expect
    .poll(async () => (await readAsk(request, first)).result?.answers[0])
    .toMatchObject({
      option_ids: [],
      text: sentence,
    });
  // With the arrow keys the focus stays on the choice, until something is written.
  await visit(page, `/?agent=other&item=${second.inbox_item_id}`);
  await ready(page);
  await openCards(page).getByRole("radio", { name: "Drop the shard" }).focus();
  await page.keyboard.press("ArrowDown");
  await expect(openCards(page).getByRole("radio", { name: "Other…" })).toBeFocused();
  await page.keyboard.type(sentence);
  await page.keyboard.press("Control+Enter");
  await expect.poll(async () => (await readAsk(request, second)).result?.answers[0]?.text).toBe(sentence);
});

test("a double click on Submit answers one card, and a preselected default needs a touch", async ({
  page,
  request,
}) => {
  const { first, second } = await open(page, request, "double-click", PRESELECTED, PRESELECTED);
  await submit(page).click();
  await expect(page.getByText("Not sent: choose an answer first.")).toBeVisible();
  await openCards(page).getByRole("radio", { name: "MIT" }).click();
  await submit(page).dblclick();
  await expect(page).toHaveURL(new RegExp(second.inbox_item_id));
  await expect.poll(() => statusOf(request, first)).toBe("answered");
  await ready(page);
  await submit(page).click();
  await expect(page.getByText("Not sent: choose an answer first.")).toBeVisible();
  expect(await statusOf(request, second)).toBe("pending");
});

test("y and n answer only the question that the person went to", async ({ page, request }) => {
  const { first } = await open(page, request, "stray", YES_OR_NO);
  // A letter that is meant for the page, and one after so long that the two are no shortcut.
  await page.keyboard.press("g");
  const pressed = await page.evaluate(() => performance.now());
  await page.waitForFunction((at) => performance.now() > at + 1_200, pressed);
  await page.keyboard.press("n");
  await expect(page.getByText("Not sent: go to the question first")).toBeVisible();
  await expect(openCards(page).getByRole("radio", { checked: true })).toHaveCount(0);
  await page.keyboard.press("o");
  await page.keyboard.press("y");
  await expect.poll(() => statusOf(request, first)).toBe("answered");
});

test("a question that opens by itself is not answered by a key meant for the page", async ({ page, request }) => {
  const done = await ask(request, { ...YES_OR_NO, agent: "by-itself" });
  await answer(request, done, true);
  await visit(page, "/?agent=by-itself");
  const asked = await ask(request, { ...YES_OR_NO, agent: "by-itself" });
  await expect(openCards(page)).toHaveCount(1);
  await ready(page);
  await page.keyboard.press("y");
  await expect(page.getByText("Not sent: go to the question first")).toBeVisible();
  expect(await statusOf(request, asked)).toBe("pending");
});

for (const [width, height] of [
  [1440, 900],
  [820, 1180],
  [390, 844],
] as const) {
  test(`nothing that appears at ${width} px covers Submit, and the receipt names the answer`, async ({
    page,
    request,
  }) => {
    await page.setViewportSize({ width, height });
    await open(page, request, `cover-${width}`, YES_OR_NO, SHARD);
    await page.keyboard.press("y");
    await expect(receipts(page)).toContainText("Yes → Deploy payments 2.43?");
    await expect(openCards(page)).toContainText(["Shard 7"]);
    const covering = () =>
      page.evaluate(() => {
        const button = document.querySelector("form[data-card] button[type=submit]");
        const { left, right, top, bottom } = button?.getBoundingClientRect() ?? new DOMRect();
        const points = [left + 2, (left + right) / 2, right - 2].flatMap((x) =>
          [top + 2, bottom - 2].map((y) => [x, y]),
        );
        return points.map(([x = 0, y = 0]) => document.elementFromPoint(x, y)).filter((at) => !button?.contains(at))
          .length;
      });
    expect(await covering()).toBe(0);
    await expect(receipts(page)).toContainText("Sent");
    expect(await covering()).toBe(0);
    const undo = await receipts(page).boundingBox();
    const bar = await submit(page).boundingBox();
    expect(undo && bar && undo.y >= bar.y + bar.height).toBe(true);
  });
}

test("an answer given shortly before the deadline arrives in time", async ({ page, request }) => {
  // Until the page is faster than the deadline.
  for (let timeout_s = 8; ; timeout_s *= 2) {
    const asked = await ask(request, { ...YES_OR_NO, agent: `deadline-${timeout_s}`, timeout_s });
    const due = Date.parse(asked.deadline_at ?? "");
    await visit(page, `/?agent=deadline-${timeout_s}&item=${asked.inbox_item_id}`);
    await expect(page.locator("form[data-card][data-ready]").or(settledCards(page))).toHaveCount(1);
    // Less than an answer can be undone.
    await page.waitForFunction((at) => Date.now() > at, due - 3_500);
    await page.keyboard.press("y");
    if (Date.now() > due - 1_500) continue;
    await expect.poll(async () => (await readAsk(request, asked)).result?.outcome).toBe("answered");
    return;
  }
});

test.describe("an answer that comes too late", () => {
  test.use({ expectedErrors: [/400/] });
  test("is told so, and not that someone else was first", async ({ page, request }) => {
    const { first } = await open(page, request, "late", { ...YES_OR_NO, timeout_s: 600 });
    await page.route("**/api/task/answer*", async (route) => {
      const { session_id, tool_use_id } = first;
      const deadline_at = new Date(Date.now() + 500).toISOString();
      await request.post("/api/task/extend", { data: { session_id, tool_use_id, deadline_at } });
      await expect.poll(() => statusOf(request, first)).toBe("timeout");
      await route.continue();
    });
    await page.keyboard.press("y");
    await expect(page.getByText("timed out before your answer arrived").first()).toBeVisible();
    await expect(page.getByText("Someone else")).toHaveCount(0);
    await expect(receipts(page)).toContainText("Not sent");
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test("a tap sends nothing while the card moves", async ({ page, request }) => {
    const { first } = await open(page, request, "moving", SHARD);
    const [x, y] = await middleOf(page, "Skip this shard");
    await page.evaluate(() => {
      const card = document.querySelector<HTMLElement>("article[data-form]");
      if (card) card.style.marginTop = "48px";
    });
    await page.touchscreen.tap(x, y);
    await expect(page.getByText("Not sent: the question had only just moved.")).toBeVisible();
    expect(await statusOf(request, first)).toBe("pending");
    await ready(page);
    await page.touchscreen.tap(...(await middleOf(page, "Skip this shard")));
    await expect.poll(async () => (await readAsk(request, first)).result?.answers[0]?.option_ids).toEqual(["skip"]);
  });
});

test("an irreversible answer given with keys alone is never called someone else's", async ({ page, request }) => {
  const { first } = await open(page, request, "own-answer", { ...YES_OR_NO, irreversible: true });
  await page.keyboard.press("y");
  await page.keyboard.press("Control+Enter");
  const dialog = page.getByRole("dialog", { name: "Send this answer?" });
  await expect(dialog.getByRole("button", { name: "Go back" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(settledCards(page)).toContainText("→ Yes");
  await expect(page.getByText("answered first")).toHaveCount(0);
  expect((await readAsk(request, first)).result?.answers[0]?.value).toBe(true);
});
