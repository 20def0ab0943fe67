import {
  answer,
  ask,
  LICENCE,
  live,
  openCards,
  openCount,
  readAsk,
  ready,
  reload,
  settledCards,
  visit,
} from "./asking.ts";
import { expect, test } from "./fixtures.ts";

const TREE = {
  question_text: "How do people sign in?",
  type: "multiple_choice",
  options: [
    { id: "oauth", label: "OAuth" },
    { id: "jwt", label: "JWT" },
  ],
  follow_up_questions: {
    oauth: [
      {
        question_id: "provider",
        question_text: "Which provider?",
        type: "multiple_choice",
        options: [{ id: "github", label: "GitHub" }],
        follow_up_questions: {
          github: [{ question_id: "why", question_text: "Why?", type: "text" }],
        },
      },
    ],
  },
};

test("a question becomes a card, its answer reaches the agent, and the card becomes a record", async ({
  page,
  request,
}) => {
  const asked = await ask(request, { ...LICENCE, header: "Licensing" });
  await visit(page, `/conversations/${asked.session_id}`);
  const card = openCards(page);
  await expect(card.getByText("Licensing", { exact: true })).toBeVisible();
  await card.getByRole("radio", { name: "Apache-2.0" }).check();
  await card.getByRole("button", { name: "+ note" }).click();
  await card.getByRole("textbox", { name: "Note to the agent" }).fill("as in the other repository");
  await card.getByRole("button", { name: /Submit/ }).click();

  const record = settledCards(page);
  await expect(record).toContainText("Answered");
  await expect(record.getByText("Licensing", { exact: true })).toBeVisible();
  await expect(record).toContainText("Apache-2.0");
  await expect(record).toContainText("as in the other repository");
  await expect(record).toContainText("web");
  await expect(record).not.toContainText("Delivered");
  await expect(record).not.toContainText("Your draft was not sent");
  const result = (await readAsk(request, asked)).result;
  expect(result?.decided_by).toEqual({ kind: "person", name: "local", surface: "browser" });
  expect(result?.answers[0]).toMatchObject({ option_ids: ["apache"], notes: "as in the other repository" });
  // The agent has fetched it: the record says so without a reload.
  await expect(record).toContainText("Delivered to the agent");
  await page.getByRole("button", { name: "Show rounds" }).click();
  await expect(page.getByRole("complementary", { name: "Rounds" })).toContainText("LicensingWhich licence?");
});

test.describe("a page that cannot read an ask", () => {
  test.use({ expectedErrors: [/Failed to load resource|ERR_/] });
  test("still shows what the person did, because the reply contains the ask", async ({ page, request, context }) => {
    const asked = await ask(request, {
      questions: ["First?", "Second?"].map((question) => ({
        question,
        options: [{ label: "Red" }, { label: "Blue" }],
      })),
    });
    await visit(page, `/conversations/${asked.session_id}`);
    await context.route("**/api/asks/*", (route) => route.abort());
    for (const label of await openCards(page).getByRole("radio", { name: "Blue" }).all()) await label.check();
    await openCards(page)
      .getByRole("button", { name: /Submit/ })
      .click();
    await expect(settledCards(page)).toContainText("Blue");
    await expect(settledCards(page)).not.toContainText("Your draft was not sent");
    await ask(request, { session_id: asked.session_id, ...LICENCE });
    await openCards(page).getByRole("button", { name: "Cancel…" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("not now");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel question" }).click();
    await expect(settledCards(page).last()).toContainText("not now");
    await expect(page.getByText("Parley can't be reached")).toHaveCount(0);
  });
});

test("follow-ups appear under their option, two levels deep, and nothing hidden is sent", async ({ page, request }) => {
  const asked = await ask(request, TREE);
  await visit(page, `/conversations/${asked.session_id}`);
  const card = openCards(page);
  await expect(card.locator("legend").getByText("Which provider?")).toHaveCount(0);
  await card.getByRole("radio", { name: "OAuth" }).check();
  await card.getByRole("radio", { name: "GitHub" }).check();
  await card.getByRole("textbox", { name: "Why?" }).fill("we have it already");
  await card.getByRole("radio", { name: "JWT" }).check();
  await expect(card.locator("legend").getByText("Which provider?")).toHaveCount(0);
  await card.getByRole("radio", { name: "OAuth" }).check();
  await expect(card.getByRole("textbox", { name: "Why?" })).toHaveValue("we have it already");
  await card.getByRole("radio", { name: "JWT" }).check();
  await card.getByRole("button", { name: /Submit/ }).click();
  await expect(settledCards(page)).toContainText("JWT");
  expect((await readAsk(request, asked)).result?.answers.map((given) => given.value)).toEqual(["jwt"]);
});

test("numbers choose and never send, Esc folds and never declines, Ctrl+Enter sends", async ({ page, request }) => {
  const asked = await ask(request, {
    questions: [
      { question: "Which database?", header: "DB", options: [{ label: "PostgreSQL" }, { label: "SQLite" }] },
      {
        question: "Which caches?",
        header: "Cache",
        multiSelect: true,
        options: [{ label: "Redis" }, { label: "Memory" }],
      },
    ],
  });
  await visit(page, `/conversations/${asked.session_id}`);
  const card = openCards(page);
  await expect(card.getByRole("radio", { name: "SQLite" })).toBeVisible();
  await live(page);
  await ready(page);
  await page.keyboard.press("2");
  await expect(card.getByRole("radio", { name: "SQLite" })).toBeFocused();
  await expect(card.getByRole("radio", { name: "SQLite" })).toBeChecked();
  await page.keyboard.press("Enter");
  await expect(card.getByRole("checkbox", { name: "Redis" })).toBeFocused();
  await page.keyboard.press("2");
  await expect(card.getByRole("checkbox", { name: "Memory" })).toBeFocused();
  await page.keyboard.press("3");
  await expect(card.getByRole("textbox", { name: "Your own answer" })).toBeFocused();
  await page.keyboard.type("12 at the edge");
  await expect(card.getByRole("textbox", { name: "Your own answer" })).toHaveValue("12 at the edge");
  await page.keyboard.press("Escape");
  await expect(card.getByRole("textbox", { name: "Your own answer" })).not.toBeFocused();
  await page.keyboard.press("Escape");
  await expect(card.getByRole("button", { name: "Expand card" })).toBeVisible();
  expect((await readAsk(request, asked)).status).toBe("pending");
  await card.getByRole("button", { name: "Expand card" }).click();
  await card.getByRole("checkbox", { name: "Memory" }).focus();
  await page.keyboard.press("Control+Enter");
  await expect(settledCards(page)).toContainText("Memory");
  expect((await readAsk(request, asked)).result?.output).toMatchObject({
    answers: { "Which database?": "SQLite", "Which caches?": "Memory, 12 at the edge" },
  });
});

test("submitting with a missing answer says what is missing, and focuses it", async ({ page, request }) => {
  const asked = await ask(request, { question: "Which port?" });
  await visit(page, `/conversations/${asked.session_id}`);
  const card = openCards(page);
  await card.getByRole("button", { name: /Submit/ }).click();
  await expect(card.getByText("This question needs an answer.")).toBeVisible();
  const field = card.getByRole("textbox", { name: "Which port?" });
  await expect(field).toBeFocused();
  // Enter belongs to the input method while it composes: it does not send.
  await field.fill("八千");
  await field.dispatchEvent("keydown", { key: "Enter", ctrlKey: true, isComposing: true, bubbles: true });
  expect((await readAsk(request, asked)).status).toBe("pending");
  await page.keyboard.press("Control+Enter");
  await expect(settledCards(page)).toContainText("八千");
});

test("two people answer: one wins, the other sees who it was and keeps the draft", async ({
  page,
  request,
  browser,
  server,
}) => {
  const asked = await ask(request, { ...LICENCE, question_text: "Who is first?" });
  await visit(page, `/conversations/${asked.session_id}`);
  await openCards(page).getByRole("radio", { name: "Other…" }).check();
  await openCards(page).getByRole("textbox", { name: "Your own answer" }).fill("Mozilla, I was writing this");

  const context = await browser.newContext({ baseURL: server.url });
  const other = await context.newPage();
  await visit(other, "/");
  await other.getByRole("link", { name: /Who is first/ }).click();
  await openCards(other).getByRole("radio", { name: "MIT" }).check();
  await openCards(other)
    .getByRole("button", { name: /Submit/ })
    .click();

  await expect(openCards(page)).toContainText(["Someone on this machine answered first."]);
  await page.keyboard.press("Escape");
  await expect(settledCards(page)).toContainText("MIT");
  await expect(settledCards(page)).toContainText("Your draft was not sent");
  await settledCards(page).getByText("Show draft").click();
  await expect(settledCards(page)).toContainText("Mozilla, I was writing this");
  await settledCards(page).getByRole("button", { name: "Discard draft" }).click();
  await expect(settledCards(page)).not.toContainText("Your draft was not sent");
  await context.close();
});

test("an answer over REST settles the open card, with who and where", async ({ page, request }) => {
  const asked = await ask(request, LICENCE);
  await visit(page, `/conversations/${asked.session_id}`);
  await expect(openCards(page)).toBeVisible();
  await answer(request, asked, "mit", "Mei");
  await expect(settledCards(page)).toContainText("Mei · API");
});

test("cancelling asks for a reason and passes it to the agent", async ({ page, request }) => {
  const asked = await ask(request, LICENCE);
  await visit(page, `/conversations/${asked.session_id}`);
  await openCards(page).getByRole("button", { name: "Cancel…" }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel this question?" });
  await expect(dialog.getByRole("button", { name: "Cancel question" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  expect((await readAsk(request, asked)).status).toBe("pending");
  await openCards(page).getByRole("button", { name: "Cancel…" }).click();
  await dialog.getByRole("textbox", { name: "Reason" }).fill("decided in the meeting");
  await dialog.getByRole("button", { name: "Cancel question" }).click();
  await expect(settledCards(page)).toContainText("decided in the meeting");
  expect((await readAsk(request, asked)).result).toMatchObject({
    outcome: "cancelled",
    reason: "decided in the meeting",
  });
});

test("a deadline passes with a default, or without one, and then the question can be reopened", async ({
  page,
  request,
}) => {
  const ship = { question_text: "Ship?", type: "boolean", default: false, on_timeout: "default" };
  const open = await ask(request, { ...ship, timeout_s: 600 });
  await visit(page, `/conversations/${open.session_id}`);
  await expect(openCards(page).getByRole("timer")).toContainText("left");
  await expect(openCards(page)).toContainText(["the agent gets the default: No"]);

  const first = await ask(request, { ...ship, timeout_s: 2 });
  await visit(page, `/conversations/${first.session_id}`);
  await expect(settledCards(page)).toContainText("Timed out, default used");
  await expect(settledCards(page)).toContainText("→ No");

  const second = await ask(request, { ...LICENCE, timeout_s: 2 });
  await visit(page, `/conversations/${second.session_id}`);
  await expect(settledCards(page)).toContainText("Nobody answered in time");
  await settledCards(page).getByRole("button", { name: "Reopen" }).click();
  await openCards(page).getByRole("radio", { name: "MIT" }).check();
  await openCards(page)
    .getByRole("button", { name: /Submit/ })
    .click();
  await expect(settledCards(page)).toContainText("MIT");
});

test("a reload restores the draft and the record", async ({ page, request }) => {
  const asked = await ask(request, LICENCE);
  await visit(page, `/conversations/${asked.session_id}`);
  await openCards(page).getByRole("radio", { name: "Other…" }).check();
  await openCards(page).getByRole("textbox", { name: "Your own answer" }).fill("half a thou");
  await reload(page);
  await expect(openCards(page).getByRole("textbox", { name: "Your own answer" })).toHaveValue("half a thou");
  await openCards(page)
    .getByRole("button", { name: /Submit/ })
    .click();
  await expect(settledCards(page)).toContainText("half a thou");
  await reload(page);
  await expect(settledCards(page)).toContainText("half a thou");
  await expect(openCards(page)).toHaveCount(0);
});

test.describe("a server that cannot be reached", () => {
  test.use({ expectedErrors: [/Failed to load resource|ERR_/] });
  test("loses no answer: it is kept, shown as unsent, and sent once when the server is back", async ({
    page,
    request,
    context,
  }) => {
    const asked = await ask(request, LICENCE);
    await visit(page, `/conversations/${asked.session_id}`);
    await openCards(page).getByRole("radio", { name: "MIT" }).check();
    // The answer arrives but its reply is lost: the retry must not become a second answer.
    await context.route("**/api/task/answer?*", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await openCards(page)
      .getByRole("button", { name: /Submit/ })
      .click();
    await expect(page.getByText(/Parley can't be reached|Answered/).first()).toBeVisible();
    await context.unroute("**/api/task/answer?*");
    await expect(settledCards(page)).toContainText("MIT");
    const audit = await (await request.get("/api/audit", { params: { session_id: asked.session_id } })).json();
    expect(audit.events.filter((event: { action: string }) => event.action === "question.answered")).toHaveLength(1);
  });
});

test("the number of open questions is in the page, its title and its icon", async ({ page, request }) => {
  const before = (await (await request.get("/api/inbox", { params: { limit: 1 } })).json()).counts.open;
  await visit(page, "/connect");
  const asked = await ask(request, LICENCE);
  await expect(openCount(page)).toContainText(String(before + 1));
  await expect(page).toHaveTitle(new RegExp(`^\\(${before + 1}\\) `));
  await expect(page.locator("link[rel=icon]").last()).toHaveAttribute("href", /^data:image\/svg/);
  await answer(request, asked, "mit");
  await expect(page).not.toHaveTitle(new RegExp(`^\\(${before + 1}\\) `));
});
