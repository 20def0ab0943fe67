import { readFileSync } from "node:fs";
import { openCards, ready, settledCards, startDemo, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";

test.use({ settings: { ASK_MAX_DEPTH: "3" } });

test("first visit: one press, the demo agent asks in the inbox, and who answers there is “You”", async ({ page }) => {
  // Everything that the page shows on the way, however briefly.
  await page.addInitScript(() => {
    Object.assign(window, { sawAllClear: false });
    new MutationObserver(() => {
      if (document.querySelector("main")?.textContent.includes("All clear"))
        Object.assign(window, { sawAllClear: true });
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
  await visit(page, "/");
  // The button has the name that the README gives it.
  const readme = readFileSync("README.md", "utf8").replace(/\s+/g, " ");
  const [, button = ""] = /localhost:3000, choose "([^"]+)"/.exec(readme) ?? [];
  await page.getByRole("button", { name: button, exact: true }).click();
  await expect(openCards(page)).toContainText(["Deploy shop-api 2.42 to production?"]);
  expect(await page.evaluate("window.sawAllClear")).toBe(false);
  await expect(page).toHaveURL(/item=/);
  await expect(page.getByRole("region", { name: "What the agent said before" })).toContainText("all 214 tests pass");
  await page.getByRole("link", { name: "Open conversation" }).click();
  await openCards(page).getByRole("radio", { name: "No", exact: true }).check();
  await ready(page);
  await openCards(page)
    .getByRole("button", { name: /Submit/ })
    .click();
  // It cannot be undone.
  await page.getByRole("button", { name: "Send this answer" }).click();
  await expect(settledCards(page).first()).toContainText("· You");
});

test("several rounds up to the limit and beyond it, then the agent does what was chosen", async ({ page }) => {
  await startDemo(page, "A poem, a joke or a smiley");
  for (let round = 1; round <= 3; round++) {
    await expect(openCards(page)).toContainText([round === 1 ? "Please choose" : `Round ${round}`]);
    await openCards(page).getByRole("checkbox", { name: "One more multi-select" }).check();
    await ready(page);
    await openCards(page)
      .getByRole("button", { name: /Submit/ })
      .click();
  }
  await expect(page.getByText("The agent has asked 3 times in this turn")).toBeVisible();
  await expect(page.getByTestId("status")).toHaveText("ready");
  await expect(page.getByRole("button", { name: "Stop here" })).toBeVisible();
  await page.getByRole("button", { name: "Allow 3 more" }).click();
  await expect(openCards(page)).toContainText(["Round 4"]);
  await openCards(page).getByRole("checkbox", { name: "Recite a poem" }).check();
  await openCards(page).getByRole("checkbox", { name: "Print a smiley" }).check();
  await ready(page);
  await openCards(page)
    .getByRole("button", { name: /Submit/ })
    .click();
  await expect(page.getByText("A question left upon the sill")).toBeVisible();
  await expect(page.getByText("Here is a smiley: 😊")).toBeVisible();
  await expect(page.getByTestId("status")).toHaveText("ready");

  // Every round is in the history, and a person can continue from any of them.
  await page.getByRole("button", { name: "Show rounds" }).click();
  const history = page.getByRole("complementary", { name: "Rounds" });
  await expect(history.getByRole("listitem").filter({ hasText: /^Round \d/ })).toHaveCount(4);
  // The person's messages group them: first the task, then the permission to continue.
  await expect(history.getByRole("listitem").first()).toContainText("Exchange 1A poem, a joke or a smiley");
  await history.getByRole("button", { name: /^Exchange 2/ }).click();
  await expect(page.getByRole("heading", { name: "Exchange 2" })).toBeFocused();
  await history.getByRole("button", { name: /^Round 2/ }).click();
  await expect(page.locator("#round-2")).toBeInViewport();
  const old = page.url();
  await history.getByRole("button", { name: "Branch from this round" }).nth(1).click();
  await expect(page).not.toHaveURL(old);
  await expect(openCards(page)).toContainText(["Round 2"]);
  await expect(settledCards(page)).toHaveCount(1);
  await page.getByRole("link", { name: "branched from round 2" }).click();
  await expect(page).toHaveURL(old);
  await expect(page.getByRole("link", { name: "branch at round 2" })).toBeVisible();
});

test("a message sent while a question is open is queued; stopping cancels the question and starts the message", async ({
  page,
}) => {
  await startDemo(page, "Delete these files");
  await expect(page.getByText("The question stays open: a message does not answer it")).toBeVisible();
  await page.getByRole("textbox", { name: "Message to the agent" }).fill("Make a tool fail");
  // Enter sends the message; it never answers the question.
  await page.keyboard.press("Enter");
  await expect(page.getByText("1 message queued")).toBeVisible();
  await expect(openCards(page)).toBeVisible();
  await page.getByRole("button", { name: "Stop agent…" }).click();
  const dialog = page.getByRole("dialog", { name: "Stop the agent?" });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(openCards(page)).toBeVisible();
  await page.getByRole("button", { name: "Stop agent…" }).click();
  await dialog.getByRole("button", { name: "Stop and cancel" }).click();
  await expect(settledCards(page)).toContainText("Cancelled");
  await expect(page.getByText("stopped the agent")).toBeVisible();
  await expect(page.locator("[data-kind=tool_result][data-failed]")).toBeVisible();
  await expect(page.locator("[data-kind=thinking]").first()).toBeVisible();
  const call = page.locator("[data-kind=tool_use]").first();
  await expect(call).toBeVisible();
  await call.getByRole("button", { name: "Show JSON" }).click();
  await expect(call.locator("pre").first()).toContainText("{");
});

test("two asks open at once are both shown and can be answered in any order", async ({ page }) => {
  await startDemo(page, "Two asks in parallel");
  await expect(openCards(page)).toHaveCount(2);
  await openCards(page).nth(1).getByRole("radio").first().check();
  await openCards(page)
    .nth(1)
    .getByRole("button", { name: /Submit/ })
    .click();
  await expect(openCards(page)).toHaveCount(1);
  await openCards(page).getByRole("radio").first().check();
  await openCards(page)
    .getByRole("button", { name: /Submit/ })
    .click();
  await expect(page.getByTestId("status")).toHaveText("ready");
});

test("words in the composer become the answer by their own button, and only by that", async ({ page }) => {
  await startDemo(page, "Choose a port");
  const composer = page.getByRole("textbox", { name: "Message to the agent" });
  await composer.fill("8080");
  await page.getByRole("button", { name: "Answer with this" }).click();
  await expect(settledCards(page)).toContainText("→ 8080");
  await expect(composer).toHaveValue("");
  await expect(composer).toBeFocused();
  await expect(page.getByTestId("status")).toHaveText("ready");
  // Shift+Enter starts a new line.
  await page.keyboard.type("one");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("two");
  await expect(composer).toHaveValue("one\ntwo");
});
