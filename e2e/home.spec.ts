import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "./fixtures.ts";

const question = {
  question_text: 'Delete <script>document.title = "run"</script> and Map<string>?',
  type: "multiple_choice",
  options: [
    { id: "yes", label: "Yes" },
    { id: "no", label: "No" },
  ],
};

test("an open question is on the page, as text, until it is answered", async ({ page, request }) => {
  const { ask } = await (await request.post("/api/asks", { data: { agent: "builder", ...question } })).json();
  const response = await page.goto("/");
  expect(response?.headers()["content-security-policy"]).toMatch(/script-src 'self' 'nonce-[^']+';/);
  const open = page.getByRole("region", { name: /Open questions/ });
  await expect(open.getByText(question.question_text)).toBeVisible();
  await expect(
    page.getByRole("region", { name: "Latest conversations" }).getByText("waits for an answer").first(),
  ).toBeVisible();
  await expect(page).toHaveTitle("Parley");
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  await request.post("/api/task/answer", {
    data: { session_id: ask.session_id, question_id: ask.tool_use_id, answer: "no" },
  });
  await page.reload();
  await expect(open.getByText(question.question_text)).toHaveCount(0);
});

test("nothing scrolls sideways, in the dark too", async ({ page, request }) => {
  await request.post("/api/asks", { data: { question: "x".repeat(400) } });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto("/");
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  }
});

test("the documentation of the API works without anything from elsewhere", async ({ page }) => {
  await page.goto("/api/docs");
  await expect(page.getByText("Answer a question", { exact: true })).toBeVisible();
});

test.describe("a page that is not there", () => {
  test.use({ expectedErrors: [/404/] });
  test("says so", async ({ page }) => {
    const response = await page.goto("/nothing");
    expect(response?.status()).toBe(404);
    await expect(page.getByRole("link", { name: "Open questions" })).toBeVisible();
  });
});
