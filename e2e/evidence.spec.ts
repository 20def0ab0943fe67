import type { Locator } from "@playwright/test";
import { answer, ask, LICENCE, openCards, settledCards, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";

// People see what they approve before they approve it.

const PATCH = [
  "--- a/src/pay.ts",
  "+++ b/src/pay.ts",
  "@@ -1,9 +1,9 @@",
  ...Array.from({ length: 8 }, (_, line) => ` const kept${line} = ${line};`),
  "-const old = 1;",
  "+const fresh = 1;",
  "--- done",
].join("\n");
const APPROVE = { question_text: "Apply this patch?", type: "boolean" };

test("a command and a patch are open above the options, coloured, and longer ones are cut to twelve lines", async ({
  page,
  request,
}) => {
  const asked = await ask(request, {
    ...APPROVE,
    context: [
      { path: "Bash", text: `npm test -- ${"a ".repeat(30)}&& git push` },
      { path: "src/pay.ts", text: PATCH },
    ],
  });
  await visit(page, `/conversations/${asked.session_id}`);
  const card = openCards(page);
  const shown = card.getByRole("region", { name: "What this question is about" });
  await expect(shown.getByText("git push")).toBeVisible();
  await expect(shown.locator("[data-token]").first()).toBeVisible();
  const patch = shown.locator("pre").last();
  await expect(patch.locator("[data-line]")).toHaveCount(12);
  await expect(patch.locator("[data-line=removed]")).toHaveText("-const old = 1;");
  await shown.getByRole("button", { name: "Show all 14 lines" }).click();
  await expect(patch.locator("[data-line=added]")).toHaveText("+const fresh = 1;");
  // A line that was "-- done" is removed; it is no header.
  await expect(patch.locator("[data-line=removed]").last()).toHaveText("--- done");
  // Nothing is out of sight beside it, and the options come after it.
  expect(await patch.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
  const [above, below] = [await shown.boundingBox(), await card.getByRole("radio", { name: "Yes" }).boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThan(below?.y ?? 0);
  await shown.getByRole("button", { name: "Show less" }).click();
  await expect(patch.locator("[data-line]")).toHaveCount(12);
});

test("code in a description is cut and coloured alike", async ({ page, request }) => {
  const asked = await ask(request, { ...APPROVE, description: `Please check:\n\n\`\`\`diff\n${PATCH}\n\`\`\`` });
  await visit(page, `/conversations/${asked.session_id}`);
  const lines = openCards(page).locator(".code-block [data-line]");
  await expect(lines).toHaveCount(12);
  await openCards(page).getByRole("button", { name: "Show all 14 lines" }).click();
  await expect(lines).toHaveCount(14);
});

test("a long question is text of eight lines, with its options in view, until the person opens it", async ({
  page,
  request,
}) => {
  const sentence = "The ledger is append-only, so the table cannot be changed while payments run. ";
  await ask(request, { ...APPROVE, agent: "essay", question_text: `${sentence.repeat(24)}Change it tonight?` });
  await visit(page, "/?agent=essay");
  const card = openCards(page);
  const heading = card.getByRole("heading");
  await expect(heading).toContainText("append-only");
  const look = () =>
    heading.evaluate((place) => {
      const { fontWeight, lineHeight } = getComputedStyle(place);
      return { weight: fontWeight, lines: Math.round(place.clientHeight / Number.parseFloat(lineHeight)) };
    });
  expect(await look()).toEqual({ weight: "400", lines: 8 });
  await expect(card.getByRole("radio", { name: "No" })).toBeInViewport();
  await expect(card.getByRole("button", { name: "Submit" })).toBeInViewport();
  await card.getByRole("button", { name: "Show all" }).click();
  expect((await look()).lines).toBeGreaterThan(8);
  await expect(card.getByRole("button", { name: "Show less" })).toHaveAttribute("aria-expanded", "true");
  await expect(card).toHaveAccessibleName(/Change it tonight\?$/);
});

test("a question and what the agent said before it appear together, so that the card never moves", async ({
  page,
  request,
}) => {
  const created = await request.post("/api/sessions", { data: { agent: "demo", title: "Said before" } });
  const { session_id } = await created.json();
  await request.post(`/api/sessions/${session_id}/messages`, { data: { text: "Deploy shop-api 2.42" } });
  const open = async () => {
    const { items } = await (await request.get("/api/inbox", { params: { agent: "demo" } })).json();
    return items.find((item: { session_id: string }) => item.session_id === session_id)?.inbox_item_id;
  };
  await expect.poll(open).toBeDefined();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked = page.waitForRequest((each) => each.url().includes("/messages?"));
  await page.route("**/api/sessions/*/messages?*", async (route) => {
    await held;
    await route.continue();
  });
  await visit(page, `/?item=${await open()}`);
  await asked;
  await expect(openCards(page)).toHaveCount(0);
  release();
  await expect(openCards(page)).toBeVisible();
  await expect(page.getByRole("region", { name: "What the agent said before" })).toBeVisible();
});

test("rounds are shown in words and as a picture, and earlier ones can be opened under the card", async ({
  page,
  request,
}) => {
  const agent = "rounds";
  const first = await ask(request, { ...LICENCE, agent, title: "Three rounds", total_rounds: 3 });
  await answer(request, first, "apache", "Mei");
  const { session_id } = first;
  await ask(request, { ...LICENCE, session_id, question_text: "Which year?", total_rounds: 3 });
  await visit(page, `/?agent=${agent}`);
  const pictures = (place: Locator) =>
    place.locator("svg:has(rect)").evaluateAll((all) => all.map(({ childElementCount }) => childElementCount));
  const row = page.locator("[data-item]").filter({ hasText: "Which year?" });
  const detail = page.getByRole("region", { name: "Question", exact: true });
  await expect(row).toContainText("Round 2 of 3");
  expect(await pictures(row)).toEqual([3]);
  await expect(detail.getByText("Round 2 of 3")).toBeVisible();
  const earlier = detail.getByRole("region", { name: "Earlier in this conversation: 1 round" });
  await expect(earlier).toContainText("Which licence?→ Apache-2.0");
  await earlier.getByText("Which licence?").click();
  await expect(earlier.getByRole("listitem").filter({ hasText: "MIT" }).last()).toBeVisible();
  await expect(earlier.getByLabel("✓")).toHaveCount(1);

  await visit(page, `/conversations/${session_id}`);
  await expect(openCards(page)).toContainText(["Round 2 of 3"]);
  await expect(settledCards(page)).toContainText(["Round 1 of 3"]);
  await expect(page.locator("main header").first()).toContainText("Round 2 of 3");
  expect(await pictures(page.locator("main"))).toEqual([3, 3, 3]);

  // A lone question is no round of anything.
  const lone = await ask(request, { ...LICENCE, agent, title: "Alone" });
  await visit(page, `/conversations/${lone.session_id}`);
  await expect(openCards(page)).toBeVisible();
  await expect(page.locator("main")).not.toContainText("Round 1");
});
