import { answer, ask, LICENCE, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";

// A separate server, where nobody else asks.
test.use({ settings: { ASK_MAX_DEPTH: "6" } });

test("shows who asked and answered, keeps its filters in the address, and has a table and CSV behind each plot", async ({
  page,
  request,
}) => {
  await visit(page, "/insights");
  await expect(page.getByText("No questions were settled in this period")).toBeVisible();
  for (const agent of ["surveyor", "surveyor", "mapper"]) {
    const asked = await ask(request, { ...LICENCE, agent });
    await answer(request, asked, "mit", "mei");
  }
  // The figures see what was settled up to a second ago.
  await expect.poll(async () => (await (await request.get("/api/insights")).json()).total.settled).toBe(3);
  await visit(page, "/connect");
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await expect(page).toHaveURL(/\/insights$/);
  await expect(page.getByRole("region", { name: "People" })).toContainText("mei");
  await expect(page.getByRole("region", { name: "Agents" })).toContainText("surveyor");
  await expect(
    page
      .getByRole("img", { name: /Line plot/ })
      .locator("svg")
      .first(),
  ).toBeVisible();

  const times = page.getByRole("article", { name: "Time to answer" });
  await times.getByRole("button", { name: "Table" }).click();
  await expect(times.getByRole("table")).toBeVisible();
  const file = await request.get((await times.getByRole("link", { name: /CSV/ }).getAttribute("href")) ?? "");
  expect(file.headers()["content-type"]).toContain("text/csv");
  expect(await file.text()).toContain("median_ms");

  await page.getByRole("radio", { name: "7 days" }).click();
  await expect(page).toHaveURL(/days=7/);
  await page.getByRole("combobox", { name: "Agent" }).click();
  await page.getByRole("option", { name: "mapper" }).click();
  await expect(page).toHaveURL(/agent=mapper/);
  await expect(page.getByRole("region", { name: "Agents" })).not.toContainText("surveyor");
});
