import type { AskView } from "../lib/protocol/ask.ts";
import { answer, ask, LICENCE, live, openCards, readAsk, ready, settledCards, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";

const HOUR_MS = 3_600_000;

test("different questions are cancelled together, for a reason, after a look at which", async ({ page, request }) => {
  const agent = "cancelled";
  const asked = [];
  for (const question_text of ["Still needed A?", "Still needed B?", "Still needed C?"]) {
    asked.push(await ask(request, { agent, question_text, type: "boolean" }));
  }
  await visit(page, `/?agent=${agent}`);
  await expect(openCards(page)).toContainText(["Still needed A?"]);
  await live(page);
  await page.keyboard.press("x");
  await page.keyboard.press("Shift+J");
  const bar = page.getByRole("region", { name: "Selected questions" });
  await expect(bar).toContainText("2 selected");
  await bar.getByRole("button", { name: "Cancel questions…" }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel 2 questions?" });
  await expect(dialog.getByRole("listitem")).toContainText(["Still needed A?", "Still needed B?"]);
  await dialog.getByRole("button", { name: "Cancel 2 questions" }).click();
  await expect(dialog).toContainText("Enter a reason for the agent.");
  await dialog.getByRole("textbox").fill("The plan has changed");
  await dialog.getByRole("button", { name: "Cancel 2 questions" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "2 questions cancelled." })).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(bar).toHaveCount(0);
  await expect(page.locator(":focus")).not.toHaveCount(0);
  const states = await Promise.all(asked.map(async (each) => (await readAsk(request, each)).status));
  expect(states).toEqual(["cancelled", "cancelled", "pending"]);
});

test("deadlines are extended together, and put back", async ({ page, request }) => {
  const agent = "extended";
  const asked: AskView[] = [];
  for (const number of [1, 2]) {
    asked.push(await ask(request, { ...LICENCE, agent, question_text: `Due ${number}?`, timeout_s: 7_200 }));
  }
  const never = await ask(request, { ...LICENCE, agent, question_text: "Never due?" });
  await page.clock.install();
  await visit(page, `/?agent=${agent}`);
  await expect(openCards(page)).toContainText(["Due 1?"]);
  await live(page);
  await page.keyboard.press("x");
  await page.keyboard.press("Shift+J");
  await page.keyboard.press("Shift+J");
  const bar = page.getByRole("region", { name: "Selected questions" });
  await expect(bar).toContainText("3 selected");
  await bar.getByRole("button", { name: "Extend" }).click();
  const hour = page.getByRole("menuitem", { name: "1 more hour" });
  await expect(hour).toBeVisible();
  // The message stays, because the clock stands still.
  await page.clock.pauseAt(Date.now() + 10_000);
  await hour.click();
  await page.clock.runFor(100);
  const message = (text: string) => page.getByRole("listitem").filter({ hasText: text });
  await expect(message("2 deadlines extended.")).toBeVisible();
  const later = async (index: number) => {
    const [before, now] = [asked[index], asked[index] && (await readAsk(request, asked[index]))];
    return Date.parse(now?.deadline_at ?? "") - Date.parse(before?.deadline_at ?? "");
  };
  expect([await later(0), await later(1)]).toEqual([HOUR_MS, HOUR_MS]);
  expect((await readAsk(request, never)).deadline_at).toBeNull();
  await message("2 deadlines extended.").getByRole("button", { name: "Undo" }).click();
  await expect(message("2 deadlines restored.")).toBeVisible();
  expect([await later(0), await later(1)]).toEqual([0, 0]);
});

test("a row says that its answer is about to be sent, until it is sent or undone", async ({ page, request }) => {
  const agent = "sending";
  const asked = await ask(request, { ...LICENCE, agent, question_text: "Held back?" });
  await ask(request, { ...LICENCE, agent, question_text: "The one after it?" });
  await page.clock.install();
  await visit(page, `/?agent=${agent}`);
  await expect(openCards(page)).toContainText(["Held back?"]);
  await ready(page);
  // It waits, because the clock stands still.
  await page.clock.pauseAt(Date.now() + 10_000);
  await page.keyboard.press("1");
  await page.keyboard.press("Control+Enter");
  await expect(openCards(page)).toContainText(["The one after it?"]);
  const row = page.locator("[data-item]").filter({ hasText: "Held back?" });
  await expect(row).toContainText(/Sends in \d+ s/);
  await page.keyboard.press("u");
  await expect(row).not.toContainText("Sends in");
  expect((await readAsk(request, asked)).status).toBe("pending");
});

test("a link to a settled question shows its record, and one to nothing says so", async ({ page, request }) => {
  const agent = "linked";
  const asked = await ask(request, { ...LICENCE, agent, question_text: "Settled long ago?" });
  await ask(request, { ...LICENCE, agent, question_text: "Still open?" });
  await answer(request, asked, "mit", "Mei");
  await visit(page, `/?item=${asked.inbox_item_id}`);
  await expect(settledCards(page)).toContainText("Settled long ago?");
  await expect(settledCards(page)).toContainText("MIT");
  await expect(settledCards(page).getByRole("button", { name: "Hide details" })).toBeVisible();
  await visit(page, `/?agent=${agent}&item=nothing`);
  await expect(page.getByText("This question no longer exists.")).toBeVisible();
});
