import { answer, ask, LICENCE, live, openCards, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";

// A separate server, where nobody else asks.
test.use({ settings: { ASK_MAX_DEPTH: "5" } });

test.describe("on a phone, before anyone asked", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  for (const language of ["en", "zh", "ja"])
    test(`the headline breaks between its phrases (${language})`, async ({ page, context, baseURL }) => {
      await context.addCookies([{ name: "parley-language", value: language, url: baseURL ?? "" }]);
      await visit(page, "/");
      const phrases = page.locator("h1 span");
      await expect(phrases).toHaveCount(3);
      const lines = await phrases.evaluateAll((all) =>
        all.map((each) => each.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(each).lineHeight)),
      );
      for (const count of lines) expect(count).toBeLessThan(1.5);
    });
});

test("the inbox is all clear after the last answer, and opens the next question by itself", async ({
  page,
  request,
}) => {
  const asked = await ask(request, { ...LICENCE, question_text: "The only one?" });
  await visit(page, "/");
  await expect(openCards(page)).toContainText(["The only one?"]);
  await answer(request, asked, "mit", "Mei");
  await visit(page, "/");
  await expect(page.getByRole("heading", { name: "All clear" })).toBeVisible();
  await expect(page.getByText(/Last settled: Mei, /)).toBeVisible();
  await live(page);
  await ask(request, { ...LICENCE, question_text: "One more?" });
  await expect(openCards(page)).toContainText(["One more?"]);
});
