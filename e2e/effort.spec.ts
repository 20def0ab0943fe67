import type { APIRequestContext, Locator, Page } from "@playwright/test";
import type { AskView } from "../lib/protocol/ask.ts";
import { ask, openCards, readAsk, ready, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";

// How many keys or taps the commonest answers take. These numbers must not grow.

const options = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `o${index + 1}`, label: `Option ${index + 1}` }));
const YES_OR_NO = { question_text: "Ship it?", type: "boolean" };
const ONE_OF_FOUR = { question_text: "Which of four?", type: "multiple_choice", options: options(4) };
const SEVERAL = { question_text: "Which ones?", type: "checkbox", options: options(4), allow_other: true };
const NESTED = {
  question_text: "Which database?",
  type: "multiple_choice",
  options: [
    { id: "pg", label: "PostgreSQL" },
    { id: "lite", label: "SQLite" },
  ],
  follow_up_questions: {
    pg: [
      {
        question_text: "Which version?",
        type: "multiple_choice",
        options: [
          { id: "v16", label: "16" },
          { id: "v17", label: "17" },
        ],
        follow_up_questions: { v17: [{ question_text: "With replicas?", type: "boolean" }] },
      },
    ],
  },
};

/** Opens the inbox of one agent with these questions, and waits until the first is open and can be answered. */
async function open(page: Page, request: APIRequestContext, agent: string, asks: Array<Record<string, unknown>>) {
  const asked = [];
  for (const body of asks) asked.push(await ask(request, { agent, ...body }));
  await visit(page, `/?agent=${agent}`);
  return asked;
}

const arrive = async (page: Page) => {
  await expect(openCards(page)).toHaveCount(1);
  await ready(page);
};

const answered = async (request: APIRequestContext, asked: readonly AskView[]) => {
  for (const each of asked) await expect.poll(async () => (await readAsk(request, each)).status).toBe("answered");
};

/** Presses keys and counts them. Typed text is the answer itself, and counts as nothing. */
const counting = (page: Page) => {
  let count = 0;
  return {
    press: async (...keys: string[]) => {
      for (const key of keys) {
        await page.keyboard.press(key);
        count += 1;
      }
    },
    type: (text: string) => page.keyboard.type(text),
    tap: async (target: Locator) => {
      await target.tap();
      count += 1;
    },
    count: () => count,
  };
};

test.describe("keys", () => {
  test("a yes or no takes one, and the next question is open", async ({ page, request }) => {
    const asked = await open(page, request, "one-key", [YES_OR_NO, { ...YES_OR_NO, question_text: "And this?" }]);
    await arrive(page);
    const keys = counting(page);
    await keys.press("y");
    await expect(openCards(page)).toContainText(["And this?"]);
    await ready(page);
    await keys.press("n");
    await answered(request, asked);
    expect(keys.count()).toBe(2);
  });

  test("one of four takes two", async ({ page, request }) => {
    const asked = await open(page, request, "two-keys", [ONE_OF_FOUR]);
    await arrive(page);
    const keys = counting(page);
    await keys.press("3", "Control+Enter");
    await answered(request, asked);
    expect(keys.count()).toBeLessThanOrEqual(2);
  });

  test("two boxes, Other and a note take six", async ({ page, request }) => {
    const asked = await open(page, request, "six-keys", [SEVERAL]);
    await arrive(page);
    const keys = counting(page);
    await keys.press("1", "3", "5");
    await keys.type("A fifth");
    await keys.press("Escape", "n");
    await keys.type("Because");
    await keys.press("Control+Enter");
    await answered(request, asked);
    expect(keys.count()).toBeLessThanOrEqual(6);
  });

  test("follow-ups on two levels take four", async ({ page, request }) => {
    const asked = await open(page, request, "nested-keys", [NESTED]);
    await arrive(page);
    const keys = counting(page);
    await keys.press("1", "2", "1", "Control+Enter");
    await answered(request, asked);
    const { questions } = await readAsk(request, asked[0] as AskView);
    expect(questions.map(({ answer }) => answer?.option_ids)).toEqual([["pg"], ["v17"], ["true"]]);
    expect(keys.count()).toBeLessThanOrEqual(4);
  });

  test("ten similar questions take four together", async ({ page, request }) => {
    const titled = Array.from({ length: 10 }, (_, index) => ({ ...ONE_OF_FOUR, title: `Service ${index}` }));
    const asked = await open(page, request, "ten-keys", titled);
    await arrive(page);
    const keys = counting(page);
    const dialog = page.getByRole("dialog");
    await keys.press("b");
    await expect(dialog.getByRole("radio").first()).toBeFocused();
    await keys.press("2", "Control+Enter");
    await expect(dialog).toContainText("10 of 10 sent.");
    await keys.press("Enter");
    await expect(dialog).toHaveCount(0);
    await answered(request, asked);
    expect(keys.count()).toBeLessThanOrEqual(5);
  });
});

test.describe("taps on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test("the first takes two from the list, and each next one takes one", async ({ page, request }) => {
    const asked = await open(page, request, "taps", [YES_OR_NO, ONE_OF_FOUR]);
    const taps = counting(page);
    await taps.tap(page.getByRole("link", { name: "Ship it?" }));
    await arrive(page);
    await expect(openCards(page)).toContainText(["A tap sends your answer. You can undo it."]);
    await taps.tap(openCards(page).getByRole("radio", { name: "Yes" }));
    await expect(openCards(page)).toContainText(["Which of four?"]);
    await ready(page);
    await taps.tap(openCards(page).getByRole("radio", { name: "Option 2" }));
    await answered(request, asked);
    expect(taps.count()).toBe(3);
  });

  test("every next question slides in and says how far the person is, also when an answer is taken back", async ({
    page,
    request,
  }) => {
    const texts = ["Ship shard 1?", "Ship shard 2?", "Ship shard 3?"];
    await open(
      page,
      request,
      "progress",
      texts.map((question_text) => ({ ...YES_OR_NO, question_text })),
    );
    const progress = page.getByTestId("progress");
    await page.getByRole("link", { name: "Ship shard 1?" }).tap();
    await arrive(page);
    await expect(progress).toHaveText("1 of 3");
    await openCards(page).getByRole("radio", { name: "Yes" }).tap();
    await expect(progress).toHaveText("2 of 3");
    await expect(progress.locator("xpath=ancestor::div[contains(@class, 'animate-next')]")).toHaveCount(1);
    await page.getByRole("button", { name: "Undo" }).first().tap();
    await expect(progress).toHaveText("1 of 3");
    await page.getByRole("button", { name: "Inbox", exact: true }).tap();
    await page.getByRole("link", { name: "Ship shard 2?" }).tap();
    await expect(progress).toHaveText("1 of 3");
  });

  test("the second tap of a double tap does not answer the next question", async ({ page, request }) => {
    const asked = await open(page, request, "double-tap", [YES_OR_NO, { ...YES_OR_NO, question_text: "And this?" }]);
    await page.getByRole("link", { name: "Ship it?" }).tap();
    await arrive(page);
    // The next card is tapped as soon as it is there.
    const tapped = page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const observer = new MutationObserver(() => {
            const next = [...document.querySelectorAll("[data-form]")].find((card) =>
              card.textContent?.includes("And this?"),
            );
            const option = next?.querySelector<HTMLInputElement>('[data-choice="true"]');
            if (!option) return;
            observer.disconnect();
            option.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, pointerType: "touch" }));
            option.click();
            resolve();
          });
          observer.observe(document.body, { childList: true, subtree: true });
        }),
    );
    await openCards(page).getByRole("radio", { name: "Yes" }).tap();
    await tapped;
    await ready(page);
    await answered(request, asked.slice(0, 1));
    await expect(openCards(page).getByRole("radio", { name: "Yes" })).toBeChecked();
    expect((await readAsk(request, asked[1] as AskView)).status).toBe("pending");
    // Now that it can have been read, the same tap answers it.
    await openCards(page).getByRole("radio", { name: "Yes" }).tap();
    await answered(request, asked);
  });

  test("a tap only chooses while a note is open, and where nothing can be undone", async ({ page, request }) => {
    const dangerous = { ...YES_OR_NO, question_text: "Drop it?", irreversible: true };
    const asked = await open(page, request, "careful-taps", [YES_OR_NO, dangerous]);
    await page.getByRole("link", { name: "Ship it?" }).tap();
    await arrive(page);
    await openCards(page).getByRole("button", { name: "Add note" }).tap();
    await page.getByRole("textbox", { name: "Note to the agent" }).fill("After lunch");
    await openCards(page).getByRole("radio", { name: "Yes" }).tap();
    await expect(openCards(page).getByRole("radio", { name: "Yes" })).toBeChecked();
    await openCards(page).getByRole("button", { name: "Submit" }).tap();
    await expect(openCards(page)).toContainText(["Drop it?"]);
    await ready(page);
    await openCards(page).getByRole("radio", { name: "Yes" }).tap();
    await expect(openCards(page).getByRole("radio", { name: "Yes" })).toBeChecked();
    await answered(request, asked.slice(0, 1));
    expect((await readAsk(request, asked[1] as AskView)).status).toBe("pending");
  });

  test("ten similar questions take four together", async ({ page, request }) => {
    const titled = Array.from({ length: 10 }, (_, index) => ({ ...ONE_OF_FOUR, title: `Job ${index}` }));
    const asked = await open(page, request, "ten-taps", titled);
    const taps = counting(page);
    const dialog = page.getByRole("dialog");
    await taps.tap(page.getByRole("button", { name: "Answer 10 together" }));
    await taps.tap(dialog.getByRole("radio", { name: "Option 2" }));
    await taps.tap(dialog.getByRole("button", { name: "Answer 10" }));
    await expect(dialog).toContainText("10 of 10 sent.");
    await taps.tap(dialog.getByRole("button", { name: "Close" }).last());
    await expect(dialog).toHaveCount(0);
    await answered(request, asked);
    expect(taps.count()).toBeLessThanOrEqual(5);
  });
});
