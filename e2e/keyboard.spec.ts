import type { Page } from "@playwright/test";
import { ask, LICENCE, live, openCards, ready, settledCards, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";

/** Presses Tab until the element has the focus: nothing here is ever clicked. */
async function tabTo(page: Page, wanted: string): Promise<void> {
  for (let press = 0; press < 80; press++) {
    await page.keyboard.press("Tab");
    const is = await page.evaluate((text) => {
      const focused = document.activeElement;
      if (!focused?.matches("a, button, input, textarea, select, summary")) return false;
      return (focused.getAttribute("aria-label") ?? focused.textContent).includes(text);
    }, wanted);
    if (is) return;
  }
  throw new Error(`${wanted} cannot be reached by Tab`);
}

test("several rounds, a stop and a second message", async ({ page }) => {
  await visit(page, "/conversations");
  await tabTo(page, "What should the agent do?");
  await page.keyboard.type("A poem, a joke or a smiley");
  await page.keyboard.press("Control+Enter");
  await expect(openCards(page)).toContainText(["Please choose a function"]);
  await ready(page);
  await page.keyboard.press("4");
  await expect(openCards(page).getByRole("checkbox", { name: "One more multi-select" })).toBeChecked();
  await page.keyboard.press("Control+Enter");
  await expect(openCards(page)).toContainText(["Round 2"]);
  await tabTo(page, "Stop agent…");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await tabTo(page, "Stop and cancel");
  await page.keyboard.press("Enter");
  await expect(settledCards(page).last()).toContainText("Cancelled");
  await tabTo(page, "Message to the agent");
  await page.keyboard.type("Choose a port");
  await page.keyboard.press("Control+Enter");
  await expect(openCards(page)).toContainText(["Round 3"]);
  // From the composer to the question by keyboard.
  await page.keyboard.press("Escape");
  await page.keyboard.press("q");
  await page.keyboard.type("99999");
  await ready(page);
  await page.keyboard.press("Control+Enter");
  await expect(openCards(page)).toContainText(["Round 4"]);
  // Keys typed into a text field right after sending do not count.
  await page.keyboard.press("Tab");
  await page.keyboard.press("q");
  await page.keyboard.type("8080");
  await ready(page);
  await page.keyboard.press("Control+Enter");
  await expect(page.getByTestId("status")).toHaveText("ready");
});

test("cancelling with a reason, reading the audit trail, branching from the round", async ({ page, request }) => {
  const asked = await ask(request, LICENCE);
  await visit(page, `/conversations/${asked.session_id}`);
  await expect(openCards(page)).toBeVisible();
  await tabTo(page, "Cancel…");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog").getByRole("textbox")).toBeFocused();
  await page.keyboard.type("not now");
  await tabTo(page, "Cancel question");
  await page.keyboard.press("Enter");
  await expect(settledCards(page)).toContainText("not now");
  await tabTo(page, "More actions");
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Audit trail" }).press("Enter");
  await expect(page.getByRole("dialog")).toContainText("These events and everything written with them are unchanged");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("h");
  await expect(page.getByRole("complementary", { name: "Rounds" })).toBeVisible();
  await tabTo(page, "Branch from this round");
  await page.keyboard.press("Enter");
  await expect(page).not.toHaveURL(new RegExp(asked.session_id));
  await expect(openCards(page)).toBeVisible();
});

test("the keys are explained, and can be turned off", async ({ page, request }) => {
  const asked = await ask(request, LICENCE);
  await visit(page, `/conversations/${asked.session_id}`);
  await expect(openCards(page)).toBeVisible();
  await live(page);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await tabTo(page, "Settings");
  await page.keyboard.press("Enter");
  const keys = page.getByRole("switch", { name: "Single-key shortcuts" });
  await expect(page.getByRole("dialog", { name: "Settings" })).toBeVisible();
  await keys.focus();
  await page.keyboard.press("Space");
  await expect(keys).not.toBeChecked();
  await page.keyboard.press("Escape");
  await page.keyboard.press("1");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(openCards(page).getByRole("radio", { name: "MIT" })).not.toBeChecked();
});
