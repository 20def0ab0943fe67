import type { APIRequestContext, Page } from "@playwright/test";
import { ask, LICENCE, live, openCards, ready, settledCards, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";

type Check = (page: Page, request: APIRequestContext) => Promise<void>;

/** One after the other without a pause, as fingers do. */
const pressAll = (page: Page, ...keys: string[]) => Promise.all(keys.map((key) => page.keyboard.press(key)));
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });
const current = (page: Page) => page.locator("a[aria-current=true]");
const bar = (page: Page) => page.getByRole("region", { name: "Selected questions" });
const choice = (page: Page, name: string) => openCards(page).getByRole("radio", { name });

let agents = 0;
/** Asks these questions as a new agent, and opens the inbox with nothing else in it. */
async function inbox(page: Page, request: APIRequestContext, ...asks: Array<Record<string, unknown>>) {
  const agent = `keys-${++agents}`;
  const asked = [];
  for (const each of asks) asked.push(await ask(request, { ...LICENCE, agent, ...each }));
  await visit(page, `/?agent=${agent}`);
  await expect(openCards(page)).toHaveCount(1);
  await live(page);
  await ready(page);
  return { agent, asked };
}

async function thread(page: Page, request: APIRequestContext, body: Record<string, unknown>) {
  const asked = await ask(request, body);
  await visit(page, `/conversations/${asked.session_id}`);
  await expect(openCards(page)).toHaveCount(1);
  await ready(page);
}

const TWO = [{ question_text: "First of two?" }, { question_text: "Second of two?" }] as const;
const YES_OR_NO = { question_text: "Ship it?", type: "boolean", options: undefined };
const BATCH = {
  questions: ["Colour", "Size"].map((header) => ({
    question: `Which ${header}?`,
    header,
    multiSelect: false,
    options: [
      { label: `${header} A`, description: "" },
      { label: `${header} B`, description: "" },
    ],
  })),
};
const MANY = {
  question_text: "Which of many?",
  options: Array.from({ length: 25 }, (_, index) => ({ id: `o${index + 1}`, label: `Option ${index + 1}` })),
};

const goes =
  (key: string, path: RegExp): Check =>
  async (page) => {
    await visit(page, path.test("/connect") ? "/insights" : "/connect");
    await pressAll(page, "g", key);
    await expect(page).toHaveURL(path);
  };

/** Answers `Ship it?` with one key and undoes it with another, while the clock stands still. */
const answersAndUndoes =
  (answer: string, undo: string): Check =>
  async (page, request) => {
    await inbox(page, request, YES_OR_NO, { question_text: "Next?" });
    await page.clock.pauseAt(Date.now() + 600_000 * ++agents);
    await page.keyboard.press(answer);
    await expect(openCards(page)).toContainText(["Next?"]);
    await page.keyboard.press(undo);
    await expect(openCards(page)).toContainText(["Ship it?"]);
    await expect(choice(page, answer === "y" ? "Yes" : "No")).toBeChecked();
    await page.clock.resume();
  };

const CHECKS: Record<string, Check> = {
  palette: async (page) => {
    await visit(page, "/connect");
    await page.keyboard.press("Control+k");
    await expect(dialog(page, "Command palette")).toBeVisible();
  },
  inbox: goes("i", /\/(\?item=.*)?$/),
  conversations: goes("t", /\/conversations$/),
  insights: goes("a", /\/insights$/),
  connect: goes("c", /\/connect$/),
  notifications: goes("n", /\/notifications$/),
  search: async (page, request) => {
    await ask(request, LICENCE);
    await visit(page, "/conversations");
    await page.keyboard.press("/");
    await expect(page.getByRole("searchbox")).toBeFocused();
    // Where there is nothing to search in, it searches everywhere.
    await visit(page, "/insights");
    await page.keyboard.press("/");
    await expect(dialog(page, "Command palette")).toBeVisible();
  },
  help: async (page, request) => {
    await inbox(page, request, {});
    await page.keyboard.press("1");
    await page.keyboard.press("?");
    await expect(dialog(page, "Shortcuts")).toBeVisible();
  },
  move: async (page, request) => {
    await inbox(page, request, ...TWO);
    await page.keyboard.press("j");
    await expect(current(page)).toHaveText("Second of two?");
    await page.keyboard.press("k");
    await expect(current(page)).toHaveText("First of two?");
  },
  open: async (page, request) => {
    await inbox(page, request, ...TWO);
    for (const key of ["o", "Enter"]) {
      await page.keyboard.press("j");
      await expect(openCards(page)).toContainText(["Second of two?"]);
      await page.keyboard.press(key);
      await expect(choice(page, "MIT")).toBeFocused();
      await visit(page, page.url().replace(/&item=.*/, ""));
      await expect(openCards(page)).toContainText(["First of two?"]);
    }
  },
  select: async (page, request) => {
    await inbox(page, request, {});
    await page.keyboard.press("x");
    await expect(bar(page)).toContainText("1 selected");
    await page.keyboard.press("x");
    await expect(bar(page)).toHaveCount(0);
  },
  extend: async (page, request) => {
    await inbox(page, request, ...TWO);
    await page.keyboard.press("Shift+J");
    await expect(bar(page)).toContainText("2 selected");
    await page.keyboard.press("Shift+K");
    await expect(current(page)).toHaveText("First of two?");
  },
  bulk: async (page, request) => {
    await inbox(page, request, {}, {});
    await page.keyboard.press("b");
    await expect(dialog(page, "Answer 2 similar questions")).toBeVisible();
  },
  thread: async (page, request) => {
    const { asked } = await inbox(page, request, {});
    await page.keyboard.press("e");
    await expect(page).toHaveURL(new RegExp(`/conversations/${asked[0]?.session_id}`));
  },
  snooze: async (page, request) => {
    await inbox(page, request, ...TWO);
    await page.keyboard.press("h");
    await expect(dialog(page, "Snooze until when?")).toBeVisible();
  },
  fresh: async (page, request) => {
    const { agent } = await inbox(page, request, {});
    await ask(request, { ...LICENCE, agent, question_text: "Sooner?", timeout_s: 3_600 });
    await expect(page.getByRole("button", { name: "1 new" })).toBeVisible();
    await page.keyboard.press(".");
    await expect(page.getByRole("link", { name: "Sooner?" })).toBeVisible();
  },
  tabs: async (page, request) => {
    await inbox(page, request, {});
    await page.keyboard.press("]");
    await expect(page).toHaveURL(/view=settled/);
    await page.keyboard.press("[");
    await expect(page).not.toHaveURL(/view=settled/);
  },
  unselect: async (page, request) => {
    await inbox(page, request, {});
    await page.keyboard.press("x");
    await expect(bar(page)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(bar(page)).toHaveCount(0);
  },
  choose: async (page, request) => {
    await inbox(page, request, MANY);
    for (let digit = 1; digit <= 9; digit++) {
      await page.keyboard.press(String(digit));
      await expect(openCards(page).getByRole("radio", { name: `Option ${digit}`, exact: true })).toBeChecked();
    }
  },
  step: async (page, request) => {
    await thread(page, request, BATCH);
    await page.keyboard.press("q");
    await expect(choice(page, "Colour A")).toBeFocused();
    await page.keyboard.press("j");
    await expect(choice(page, "Size A")).toBeFocused();
    await page.keyboard.press("k");
    await expect(choice(page, "Colour A")).toBeFocused();
  },
  yesNo: async (page, request) => {
    await answersAndUndoes("y", "u")(page, request);
    await answersAndUndoes("n", "u")(page, request);
  },
  note: async (page, request) => {
    await inbox(page, request, {});
    await page.keyboard.press("n");
    await expect(openCards(page).getByRole("textbox")).toBeFocused();
  },
  reply: async (page, request) => {
    await inbox(page, request, {});
    await page.keyboard.press("r");
    await expect(openCards(page).getByRole("button", { name: "Send reply" })).toBeVisible();
    await expect(openCards(page).getByRole("textbox")).toBeFocused();
  },
  submit: async (page, request) => {
    await thread(page, request, LICENCE);
    await page.keyboard.press("2");
    await page.keyboard.press("Control+Enter");
    await expect(settledCards(page)).toContainText("Apache-2.0");
  },
  leave: async (page, request) => {
    await thread(page, request, LICENCE);
    await page.keyboard.press("3");
    await expect(openCards(page).getByRole("textbox")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(openCards(page).getByRole("textbox")).not.toBeFocused();
    await page.keyboard.press("Escape");
    await expect(openCards(page).getByRole("button", { name: "Submit" })).toHaveCount(0);
  },
  undo: async (page, request) => {
    await answersAndUndoes("y", "u")(page, request);
    await answersAndUndoes("y", "z")(page, request);
  },
  question: async (page, request) => {
    await thread(page, request, LICENCE);
    await page.keyboard.press("q");
    await expect(choice(page, "MIT")).toBeFocused();
  },
  history: async (page, request) => {
    await thread(page, request, LICENCE);
    await page.keyboard.press("1");
    await page.keyboard.press("h");
    await expect(page.getByRole("complementary", { name: "Rounds" })).toBeVisible();
  },
  bottom: async (page, request) => {
    await thread(page, request, { ...LICENCE, ...MANY });
    await page.keyboard.press("Home");
    await expect(page.getByRole("heading", { name: "Which of many?", level: 2 })).toBeInViewport();
    await page.keyboard.press("End");
    await expect(openCards(page).getByText("Option 25", { exact: true })).toBeInViewport();
  },
  top: async (page, request) => {
    await thread(page, request, { ...LICENCE, ...MANY });
    await page.keyboard.press("End");
    await expect(openCards(page).getByText("Option 25", { exact: true })).toBeInViewport();
    await page.keyboard.press("Home");
    await expect(page.getByRole("heading", { name: "Which of many?", level: 2 })).toBeInViewport();
  },
};

test("every key that is printed works", async ({ page, request }) => {
  await page.clock.install();
  await visit(page, "/connect");
  await page.keyboard.press("?");
  const rows = dialog(page, "Shortcuts").locator("[data-shortcut]");
  await expect(rows.first()).toBeVisible();
  const printed = await rows.evaluateAll((rows) => rows.map((row) => row.getAttribute("data-shortcut")));
  expect(printed).toEqual(Object.keys(CHECKS));
  for (const [name, check] of Object.entries(CHECKS)) await test.step(name, () => check(page, request));
});
