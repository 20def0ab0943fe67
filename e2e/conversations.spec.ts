import { answer, ask, LICENCE, live, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";

const rows = (page: import("@playwright/test").Page) => page.locator("main a[data-row]");

test("conversations are found by words, state and agent, and the address keeps the filters", async ({
  page,
  request,
}) => {
  await ask(request, { ...LICENCE, agent: "painter", title: "Paint the bikeshed" });
  const settled = await ask(request, { ...LICENCE, agent: "plumber", title: "Mend the sink" });
  await answer(request, settled, "mit");
  await visit(page, "/conversations");
  // Other tests have conversations here, too.
  const painted = rows(page).filter({ hasText: "Paint the bikeshed" });
  const mended = rows(page).filter({ hasText: "Mend the sink" });
  await page.getByRole("tab", { name: /Waiting/ }).click();
  await expect(painted).toContainText("1 question waiting");
  await expect(mended).toHaveCount(0);
  await page.getByRole("tab", { name: /All/ }).click();

  await page.keyboard.press("/");
  await page.keyboard.type("sink");
  await expect(rows(page)).toContainText(["Mend the sink"]);
  await expect(page).toHaveURL(/q=sink/);
  await page.reload();
  await expect(rows(page)).toContainText(["Mend the sink"]);

  await page.getByRole("searchbox").fill("nothing like this");
  await expect(page.getByText("No conversations match")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(painted).toHaveCount(1);
  await expect(mended).toHaveCount(1);
  await expect(page.getByRole("searchbox")).toBeFocused();

  await page.getByRole("combobox", { name: "Agent" }).last().click();
  await page.getByRole("option", { name: /^painter/ }).click();
  await expect(rows(page)).toContainText(["Paint the bikeshed"]);
  await expect(page).toHaveURL(/agent=painter/);
});

test("a row changes when its question is answered elsewhere, and j and Enter open it", async ({ page, request }) => {
  const asked = await ask(request, { ...LICENCE, agent: "watcher", title: "Watch me change" });
  await visit(page, "/conversations?agent=watcher");
  await live(page);
  await expect(rows(page)).toContainText(["1 question waiting"]);
  await answer(request, asked, "mit");
  await expect(rows(page).first()).not.toContainText("waiting");
  await page.keyboard.press("j");
  await expect(rows(page).first()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/conversations/${asked.session_id}$`));
});
