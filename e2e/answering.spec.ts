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
  await card.getByRole("button", { name: "Add note" }).click();
  await card.getByRole("textbox", { name: "Note to the agent" }).fill("as in the other repository");
  await card.getByRole("button", { name: /Submit/ }).click();

  const record = settledCards(page);
  await expect(record).toHaveAccessibleName("Which licence?");
  await expect(record).toContainText("→ Apache-2.0");
  await expect(record).not.toContainText("Delivered");
  await expect(record).not.toContainText("Your draft was not sent");
  await record.getByRole("button", { name: "Show details" }).click();
  await expect(record.getByText("Licensing", { exact: true })).toBeVisible();
  await expect(record).toContainText("as in the other repository");
  await expect(record).toContainText("web");
  const result = (await readAsk(request, asked)).result;
  expect(result?.decided_by).toEqual({ kind: "person", name: "local", surface: "browser", provenance: "browser" });
  expect(result?.answers[0]).toMatchObject({ option_ids: ["apache"], notes: "as in the other repository" });
  // The agent has fetched it: the record says so without a reload.
  await expect(record).toContainText("Delivered");
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
    await expect(page.getByText("Can’t reach Parley")).toHaveCount(0);
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
  await expect(card.getByRole("radio", { name: "SQLite" })).toBeChecked();
  // One choice is enough for it, so the next question is in focus; and Enter leads from a choice to the next question.
  await expect(card.getByRole("checkbox", { name: "Redis" })).toBeFocused();
  await page.keyboard.press("k");
  await expect(card.getByRole("radio", { name: "SQLite" })).toBeFocused();
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

test("submitting with something missing names it, brings the first into view and rings it", async ({
  page,
  request,
}) => {
  const options = Array.from({ length: 4 }, (_, number) => ({ label: `Choice ${number}`, description: "Some words" }));
  const asked = await ask(request, {
    questions: ["Database", "Features", "Deploy"].map((header) => ({ question: `${header}?`, header, options })),
  });
  await page.setViewportSize({ width: 1280, height: 700 });
  await visit(page, `/conversations/${asked.session_id}`);
  const card = openCards(page);
  const group = (name: string) => card.getByRole("group", { name });
  await group("Features?").getByRole("radio", { name: "Choice 1" }).check();
  await card.getByRole("button", { name: /Submit/ }).click();
  await expect(card).toContainText("2 left: Database, Deploy");
  await expect(group("Database?").getByRole("radio").first()).toBeFocused();
  await expect(group("Database?").locator("legend")).toBeInViewport();
  await expect(group("Database?")).toHaveCSS("outline-style", "solid");
  await expect(group("Features?")).toHaveCSS("outline-style", "none");
  // Picking an answer leads to the next question that needs one.
  await group("Database?").getByRole("radio", { name: "Choice 2" }).click();
  await expect(card).toContainText("1 left: Deploy");
  await expect(group("Deploy?").getByRole("radio").first()).toBeFocused();
  await expect(card.getByRole("navigation")).toContainText("Deploynot answered yet");
});

test("a composed Enter does not send, and Ctrl+Enter does", async ({ page, request }) => {
  const asked = await ask(request, { question: "Which port?" });
  await visit(page, `/conversations/${asked.session_id}`);
  const card = openCards(page);
  await card.getByRole("button", { name: /Submit/ }).click();
  await expect(card.getByText("Needs an answer.")).toBeVisible();
  const field = card.getByRole("textbox", { name: "Which port?" });
  await expect(field).toBeFocused();
  await ready(page);
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

  // Without accounts there is only one person, whichever of their windows they use.
  await expect(openCards(page)).toContainText(["You answered first."]);
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

test("a button beside Submit cancels the question, asks for a reason and passes it to the agent", async ({
  page,
  request,
}) => {
  const asked = await ask(request, LICENCE);
  await visit(page, `/conversations/${asked.session_id}`);
  await openCards(page).getByRole("button", { name: "Cancel…" }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel this question?" });
  await dialog.getByRole("button", { name: "Cancel question" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Enter a reason for the agent.");
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
  await expect(openCards(page).getByRole("radio", { name: "No" })).toBeChecked();

  const first = await ask(request, { ...ship, timeout_s: 2 });
  await visit(page, `/conversations/${first.session_id}`);
  await expect(settledCards(page)).toContainText("default used");
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
    await expect(page.getByText(/Can’t reach Parley|→ MIT/).first()).toBeVisible();
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

test("defaults are chosen from the start, but not sent before the person touches the card", async ({
  page,
  request,
}) => {
  const asked = await ask(request, {
    question_text: "Which caches?",
    type: "checkbox",
    options: [
      { id: "redis", label: "Redis", default: true },
      { id: "memory", label: "Memory" },
      { id: "disk", label: "Disk", default: true },
    ],
  });
  await visit(page, `/conversations/${asked.session_id}`);
  const card = openCards(page);
  await expect(card.getByRole("checkbox", { name: /Redis.*suggested/ })).toBeChecked();
  await expect(card.getByRole("checkbox", { name: "Memory" })).not.toBeChecked();
  await live(page);
  await ready(page);
  await page.keyboard.press("Control+Enter");
  await expect(card).toContainText("Not sent");
  expect((await readAsk(request, asked)).status).toBe("pending");
  // What the agent chose can be taken back, also after a reload.
  await card.getByRole("checkbox", { name: /Redis/ }).uncheck();
  await reload(page);
  await expect(card.getByRole("checkbox", { checked: true })).toHaveCount(1);
  await card.getByRole("checkbox", { name: /Disk/ }).focus();
  await ready(page);
  await page.keyboard.press("Control+Enter");
  await expect(settledCards(page)).toContainText("→ Disk");
  expect((await readAsk(request, asked)).result?.answers[0]?.labels).toEqual(["Disk"]);
});

test("a question is answered in words instead of a choice, and the agent gets the words", async ({ page, request }) => {
  const asked = await ask(request, LICENCE);
  await visit(page, `/conversations/${asked.session_id}`);
  await live(page);
  await ready(page);
  await page.keyboard.press("r");
  const words = openCards(page).getByRole("textbox", { name: "Reply in words" });
  await expect(words).toBeFocused();
  await page.keyboard.type("Neither 1 nor 2: first explain the patent clause");
  await expect(openCards(page).getByRole("radio", { checked: true })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(words).toHaveCount(0);
  await reload(page);
  await openCards(page).getByRole("button", { name: "Reply in words" }).click();
  await expect(words).toHaveValue(/patent clause/);
  await ready(page);
  await page.keyboard.press("Control+Enter");
  await expect(settledCards(page)).toContainText("first explain the patent clause");
  await expect(settledCards(page)).not.toContainText("Your draft was not sent");
  expect((await readAsk(request, asked)).result).toMatchObject({
    outcome: "replied",
    reply: "Neither 1 nor 2: first explain the patent clause",
  });
});

test("a deadline is extended from the card, and the agent sees it", async ({ page, request }) => {
  const asked = await ask(request, { ...LICENCE, timeout_s: 600 });
  await visit(page, `/conversations/${asked.session_id}`);
  await openCards(page).getByRole("button", { name: "Extend" }).click();
  await page.getByRole("menuitem", { name: "1 more hour" }).click();
  await expect(openCards(page).getByRole("timer")).toContainText("1 h");
  const later = Date.parse((await readAsk(request, asked)).deadline_at ?? "");
  expect(later - Date.parse(asked.deadline_at ?? "")).toBe(3_600_000);
  await openCards(page).getByRole("button", { name: "Extend" }).click();
  await page.getByRole("menuitem", { name: "No deadline" }).click();
  await expect(openCards(page).getByRole("timer")).toHaveCount(0);
  expect((await readAsk(request, asked)).deadline_at).toBeNull();
});

test("what cannot be undone is marked, never chosen in advance, and confirmed once more", async ({ page, request }) => {
  const asked = await ask(request, {
    question_text: "Delete the bucket prod-backups-2024?",
    type: "boolean",
    default: true,
    irreversible: true,
  });
  await visit(page, `/conversations/${asked.session_id}`);
  const card = openCards(page);
  await expect(card).toContainText("Can’t be undone");
  await expect(card.getByRole("radio", { checked: true })).toHaveCount(0);
  await ready(page);
  await card.getByRole("radio", { name: "Yes" }).check();
  await page.keyboard.press("Control+Enter");
  const dialog = page.getByRole("dialog", { name: "Send this answer?" });
  await expect(dialog).toContainText("→ Yes");
  await expect(dialog.getByRole("button", { name: "Go back" })).toBeFocused();
  // The keys of the card do nothing here.
  await page.keyboard.press("Control+Enter");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  expect((await readAsk(request, asked)).status).toBe("pending");
  await page.keyboard.press("Control+Enter");
  await dialog.getByRole("button", { name: "Send this answer" }).click();
  await expect(settledCards(page)).toContainText("→ Yes");
});

test("thirty options: a filter finds one, and everything it leaves is selected at once", async ({ page, request }) => {
  const options = Array.from({ length: 30 }, (_, number) => ({
    id: `r${number}`,
    label: `${number < 10 ? "eu" : "us"}-${number}`,
  }));
  const asked = await ask(request, { question_text: "Which regions?", type: "checkbox", options });
  await visit(page, `/conversations/${asked.session_id}`);
  const card = openCards(page);
  await ready(page);
  await card.getByRole("searchbox").fill("eu-");
  await expect(card.getByRole("checkbox")).toHaveCount(10);
  await card.getByRole("button", { name: "Select all" }).click();
  await card.getByRole("searchbox").fill("us-29");
  await page.keyboard.press("Enter");
  await expect(card.getByRole("checkbox", { name: "us-29" })).toBeFocused();
  await page.keyboard.press("Space");
  await page.keyboard.press("Control+Enter");
  await expect(settledCards(page)).toBeVisible();
  expect((await readAsk(request, asked)).result?.answers[0]?.option_ids).toHaveLength(11);
});

test("previews belong to their option, and files come before the options, numbered and open", async ({
  page,
  request,
}) => {
  const asked = await ask(request, {
    question_text: "Which table?",
    type: "multiple_choice",
    context: [{ path: "db/ledger.sql", lines: "41-42", text: "begin;\ndrop table ledger;" }, { path: "README.md" }],
    options: [
      { id: "a", label: "Wide", preview: "```sql\ncreate table wide ();\n```" },
      { id: "b", label: "Narrow", preview: "Narrow **words**" },
    ],
  });
  await visit(page, `/conversations/${asked.session_id}`);
  const card = openCards(page);
  const preview = (name: string) => card.getByRole("figure", { name: `Preview of ${name}` }).filter({ visible: true });
  await expect(preview("Wide")).toContainText("create table wide");
  await card.getByRole("radio", { name: "Narrow" }).focus();
  await expect(preview("Narrow").locator("strong")).toHaveText("words");
  await preview("Narrow").getByRole("button", { name: "Full screen" }).click();
  await expect(page.getByRole("dialog", { name: "Preview of Narrow" })).toContainText("Narrow words");
  await page.keyboard.press("Escape");
  const files = card.getByRole("region", { name: "What this question is about" });
  await expect(files.locator("details")).toHaveCount(1);
  await expect(files.locator("pre code > span").filter({ hasText: "drop table" })).toContainText(
    "42drop table ledger;",
  );
  await expect(files.locator("[data-token]").first()).toBeVisible();
});
