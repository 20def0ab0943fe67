import { answer, ask, LICENCE, live, openCards, readAsk, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";

const row = (question: string) => ({ name: question });

test("new questions and those that others settle appear at once, and nothing moves under the cursor", async ({
  page,
  request,
}) => {
  const agent = "movers";
  const first = await ask(request, { ...LICENCE, agent, question_text: "Mover one?" });
  await ask(request, { ...LICENCE, agent, question_text: "Mover two?" });
  await visit(page, `/?agent=${agent}`);
  await page.getByRole("link", row("Mover two?")).click();
  await expect(openCards(page)).toContainText(["Mover two?"]);
  const place = () => page.getByRole("link", row("Mover two?")).evaluate((link) => link.getBoundingClientRect().top);
  const before = await place();
  // It is due soon and belongs at the top, but it is held back until the person asks for it.
  await ask(request, { ...LICENCE, agent, question_text: "Mover urgent?", timeout_s: 600 });
  await expect(page.getByRole("button", { name: "1 new" })).toBeVisible();
  await answer(request, first, "mit", "Mei");
  await expect(page.getByTestId("settled")).toContainText("→ MIT · Mei");
  expect(Math.abs((await place()) - before)).toBeLessThan(50);
  await page.keyboard.press(".");
  await expect(page.getByRole("link", row("Mover urgent?"))).toBeVisible();
  await expect(openCards(page)).toContainText(["Mover two?"]);
});

test("one answer goes to five similar questions, and one that another person answered first is reported", async ({
  page,
  request,
}) => {
  const agent = "bulk";
  const asked = [];
  for (let number = 1; number <= 5; number++)
    asked.push(await ask(request, { ...LICENCE, agent, question_text: "Bulk licence?" }));
  await visit(page, `/?agent=${agent}`);
  await page.getByRole("button", { name: "Answer 5 together" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "MIT" }).check();
  await expect(dialog).toContainText("Will send “MIT” to 5 agents.");
  const [lost] = asked;
  if (lost) await answer(request, lost, "apache", "Kenji");
  await dialog.getByRole("button", { name: "Answer 5" }).click();
  await expect(dialog).toContainText("4 of 5 sent.");
  await expect(dialog.getByTestId("receipt").filter({ hasText: "Someone answered this one first." })).toHaveCount(1);
  const results = await Promise.all(
    asked.map(async (each) => (await readAsk(request, each)).result?.answers[0]?.option_ids[0]),
  );
  expect(results).toEqual(["apache", "mit", "mit", "mit", "mit"]);
});

test("filters are in the address, settled questions are kept, and their audit trail is verified", async ({
  page,
  request,
}) => {
  const asked = await ask(request, { ...LICENCE, agent: "auditor", question_text: "Audited question?" });
  await ask(request, { ...LICENCE, agent: "auditor", question_text: "Something else?" });
  await answer(request, asked, "mit", "Mei");
  await visit(page, "/");
  await page.getByRole("searchbox", { name: "Search" }).fill("Something el");
  await expect(page).toHaveURL(/q=Something/);
  await expect(page.getByRole("link", row("Something else?"))).toBeVisible();
  // One that arrives later and matches only by an option.
  await visit(page, "/?q=zircon");
  await live(page);
  await ask(request, {
    ...LICENCE,
    agent: "auditor",
    question_text: "Found by its option?",
    options: [
      { id: "zircon", label: "Zirconium" },
      { id: "tin", label: "Tin" },
    ],
  });
  await expect(page.getByRole("link", row("Found by its option?"))).toBeVisible();
  await visit(page, "/?view=settled&agent=auditor");
  await page.getByRole("link", { name: /Audited question/ }).click();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Audit trail" }).click();
  const dialog = page.getByRole("dialog", { name: "Audit trail" });
  await expect(dialog).toContainText("These events and everything written with them are unchanged");
  await expect(dialog).toContainText("Asked");
  await expect(dialog).toContainText("Mei · API");
  await dialog.getByRole("button", { name: "Check the whole conversation" }).click();
  await expect(dialog).toContainText("The whole conversation is unchanged");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
});

test("filters are chips that stay until they are removed, with counts from the server", async ({ page, request }) => {
  await ask(request, { ...LICENCE, agent: "chips-a", question_text: "Chips of a?" });
  await ask(request, { ...LICENCE, agent: "chips-b", question_text: "Chips of b?" });
  await visit(page, "/");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByRole("menuitem", { name: "Agent" }).click();
  await page.getByRole("menuitemcheckbox", { name: /chips-a/ }).click();
  await expect(page).toHaveURL(/agent=chips-a/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("link", row("Chips of a?"))).toBeVisible();
  await expect(page.getByRole("link", row("Chips of b?"))).toHaveCount(0);
  await expect(page.getByTestId("matching")).toHaveText(/^1 of \d+$/);
  const remove = page.getByRole("button", { name: "Remove filter: Agent" });
  await visit(page, "/?agent=chips-a&deadline=overdue");
  await expect(page.getByText("No open questions match")).toBeVisible();
  await expect(remove).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).last().click();
  await expect(remove).toHaveCount(0);
  // All of them again; rows that are out of sight are not in the page.
  await expect(page.getByTestId("matching")).toHaveText(/^\d+ open questions$/);
  await expect(page.locator("[data-item]").nth(1)).toBeVisible();
});

test("a view is saved under a name, found again, and deleted", async ({ page, request }) => {
  await ask(request, { ...LICENCE, agent: "views", question_text: "In the saved view?" });
  await visit(page, "/?agent=views&group=agent&sort=newest");
  const menu = page.getByRole("button", { name: "Saved views and export" });
  await menu.click();
  await page.getByRole("menuitem", { name: "Save this view…" }).click();
  await page.getByRole("textbox", { name: "View name" }).fill("My agents");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await visit(page, "/");
  await menu.click();
  await page.getByRole("menuitemradio", { name: "My agents" }).click();
  await expect(page).toHaveURL(/agent=views&sort=newest&group=agent/);
  await expect(page.getByRole("heading", { name: /^views \d+$/ })).toBeVisible();
  await menu.click();
  await page.getByRole("menuitem", { name: "Delete view “My agents”" }).click();
  await menu.click();
  await expect(page.getByRole("menuitem", { name: "Save this view…" })).toBeVisible();
  await expect(page.getByRole("menuitemradio")).toHaveCount(0);
});

test("settled questions show the answer and who gave it, and are exported with their filters", async ({
  page,
  request,
}) => {
  const agent = "records";
  const asked = await ask(request, { ...LICENCE, agent, question_text: "Kept for the record?" });
  await answer(request, asked, "apache", "Mei");
  await visit(page, `/?agent=${agent}`);
  await page.keyboard.press("]");
  await expect(page).toHaveURL(/view=settled/);
  await expect(page.getByTestId("settled")).toContainText("→ Apache-2.0 · Mei");
  await page.getByRole("button", { name: "Saved views and export" }).click();
  const address = await page.getByRole("menuitem", { name: "CSV" }).getAttribute("href");
  const file = await (await request.get(address ?? "")).text();
  expect(file.trim().split("\r\n")).toHaveLength(2);
  expect(file).toContain("Kept for the record?");
});

test("a selection says what can be done with it: not with different questions, and never with irreversible ones", async ({
  page,
  request,
}) => {
  const agent = "selection";
  const same = { ...LICENCE, agent, question_text: "Same licence?" };
  for (const title of ["One", "Two"]) await ask(request, { ...same, title });
  await ask(request, { ...same, title: "Three", irreversible: true });
  await ask(request, { agent, question_text: "Something different?", type: "boolean" });
  await visit(page, `/?agent=${agent}`);
  const bar = page.getByRole("region", { name: "Selected questions" });
  await expect(openCards(page)).toContainText(["Same licence?"]);
  await page.keyboard.press("x");
  await expect(bar).toContainText("2 selected");
  await page.keyboard.press("Shift+J");
  await expect(bar).toContainText("3 selected");
  await expect(bar).toContainText("1 is left out because it can’t be undone.");
  await page.keyboard.press("Shift+J");
  await expect(bar).toContainText("These questions differ");
  await expect(bar.getByRole("button", { name: /Answer/ })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(bar).toHaveCount(0);
  // The group can also be answered together while it is unfolded, and its dialog says which conversations get the answer.
  await page.getByRole("button", { name: "2 similar questions: Same licence?" }).click();
  await page.getByRole("button", { name: "Answer 2 together" }).first().click();
  await expect(page.getByRole("dialog").getByRole("checkbox", { name: "One" })).toBeChecked();
});

test("keys work wherever the mouse was, and lead to the conversation", async ({ page, request }) => {
  const agent = "mouse";
  const asked = await ask(request, { ...LICENCE, agent, question_text: "Clicked first?" });
  await visit(page, `/?agent=${agent}`);
  await page.getByRole("link", row("Clicked first?")).click();
  await openCards(page).getByRole("radio", { name: "MIT" }).click();
  await page.keyboard.press("e");
  await expect(page).toHaveURL(new RegExp(`/conversations/${asked.session_id}`));
});

test("600 open questions: few rows are in the page, and the last can be reached", async ({ page, request }) => {
  const agent = "many";
  for (let from = 0; from < 600; from += 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, number) =>
        ask(request, { agent, question: `Many ${String(from + number).padStart(5, "0")}?` }),
      ),
    );
  }
  await ask(request, { agent, question: "The last of many?" });
  await visit(page, `/?agent=${agent}`);
  await expect(page.locator("[data-item]").first()).toBeVisible();
  const list = page.getByRole("region", { name: "Questions" });
  await expect
    .poll(
      async () => {
        await list.evaluate((place) => place.scrollTo({ top: place.scrollHeight }));
        return page.getByText("The last of many?").count();
      },
      { intervals: [50] },
    )
    .toBe(1);
  expect(await page.locator("[data-item]").count()).toBeLessThan(120);
});

test.describe("on the narrowest phone", () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test("no word of the tabs breaks, and a group leaves its question most of the row", async ({ page, request }) => {
    for (const title of ["a", "b"]) await ask(request, { ...LICENCE, agent: "narrow", title });
    await visit(page, "/?agent=narrow");
    const tabs = page.getByLabel("Which questions").getByRole("radio");
    await expect(tabs).toHaveCount(2);
    // Every word and number is on one line, which has one box.
    const boxes = await tabs.evaluateAll((all) =>
      all.flatMap((tab) =>
        [...tab.childNodes].map((node) => {
          const range = document.createRange();
          range.selectNodeContents(node);
          return range.getClientRects().length;
        }),
      ),
    );
    expect(Math.max(...boxes)).toBe(1);
    const together = page.getByRole("button", { name: "Answer 2 together" });
    await expect(together).toHaveText(/Answer 2$/);
    const question = await page.getByRole("link", { name: "Which licence?" }).boundingBox();
    expect(question?.width).toBeGreaterThan((await together.boundingBox())?.width ?? 320);
  });
});
