import { ask, LICENCE, live, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";

test("everything is found and run from the keyboard: places, appearance, questions, conversations", async ({
  page,
  request,
}) => {
  const asked = await ask(request, { ...LICENCE, agent: "palette-bot", title: "Rename the flux capacitor" });
  await visit(page, "/connect");
  const palette = page.getByRole("dialog", { name: "Command palette" });

  // Typed at once, before the palette has loaded: nothing is lost, and nothing runs as a shortcut.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("conver");
  await expect(palette.getByRole("combobox")).toHaveValue("conver");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/conversations$/);
  await expect(palette).toBeHidden();

  await page.keyboard.press("Control+k");
  await page.keyboard.type("theme dark");
  await expect(palette.getByRole("combobox")).toHaveValue("theme dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");

  // What was used last comes first.
  await page.keyboard.press("Control+k");
  await expect(palette.getByRole("option").first()).toHaveText(/Theme: Dark/);
  await page.keyboard.type("flux capacitor");
  await expect(palette.getByRole("option", { name: /Rename the flux capacitor/ })).toBeVisible();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  await palette.getByRole("option", { name: /Rename the flux capacitor/ }).click();
  await expect(page).toHaveURL(new RegExp(`/conversations/${asked.session_id}$`));

  await page.keyboard.press("Control+k");
  await page.keyboard.type("palette-bot");
  await palette.getByRole("option", { name: /^palette-bot/ }).click();
  await expect(page).toHaveURL(/agent=palette-bot/);
});

test("keys count again after a command was chosen, and Esc closes without doing anything", async ({ page }) => {
  await visit(page, "/connect");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("conver");
  await expect(page.getByRole("combobox")).toHaveValue("conver");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/conversations$/);
  await live(page);
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await expect(page).toHaveURL(/\/connect$/);

  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("no such thing anywhere");
  await expect(page.getByText("Nothing matches “no such thing anywhere”.")).toBeVisible();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(/\/connect$/);
});

test("keys and Enter count from the first one, however fast someone types", async ({ page }) => {
  await visit(page, "/connect");
  await page.evaluate(() => {
    const press = (key: string, ctrlKey = false) =>
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true, cancelable: true }));
    press("k", true);
    for (const key of [..."converx", "Backspace", "Enter", "x"]) press(key);
  });
  await expect(page).toHaveURL(/\/conversations$/);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("it opens with a click, shows what it can do, and leads to the settings", async ({ page }) => {
  await visit(page, "/conversations");
  await page.getByRole("button", { name: "Search or jump to…" }).click();
  const palette = page.getByRole("dialog", { name: "Command palette" });
  for (const name of ["Inbox", "Settled questions", "Theme: Light", "Language: 日本語", "Keyboard shortcuts"])
    await expect(palette.getByRole("option", { name })).toBeAttached();
  await palette.getByRole("option", { name: "New conversation" }).click();
  await expect(page.getByRole("textbox", { name: "What should the agent do?" })).toBeFocused();
  await page.getByRole("button", { name: "Search or jump to…" }).click();
  await palette.getByRole("option", { name: "Settings", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Settings" })).toBeVisible();
});
