import type { APIRequestContext, Page } from "@playwright/test";
import type { AskView } from "../lib/protocol/ask.ts";
import { answer, ask, LICENCE, live, openCards, readAsk, ready, settledCards, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";

// A person types an answer and is interrupted. Whatever they keep typing must not answer anything.

const SENTENCE = ["Kill the ", "job and start it again with more memory"] as const;
const OOM = { ...LICENCE, question_text: "The batch ran out of memory. What now?" };
const DEPLOY = { question_text: "Deploy payments 2.43 to production now?", type: "boolean" };

const ownText = (page: Page) => page.getByRole("textbox", { name: "Your own answer" });

async function post(request: APIRequestContext, path: string, data: Record<string, unknown>): Promise<void> {
  const response = await request.post(path, { headers: { "x-parley-name": "Kenji" }, data });
  expect(response.ok(), await response.text()).toBe(true);
}

const cancel = (request: APIRequestContext, { session_id, tool_use_id }: AskView) =>
  post(request, "/api/task/cancel", { session_id, tool_use_id, reason: "Not needed" });

/** An ask without an answer, and without a draft in this browser. */
async function isUntouched(page: Page, request: APIRequestContext, asked: AskView): Promise<void> {
  const found = await readAsk(request, asked);
  expect([found.status, found.questions.map((question) => question.answer)]).toEqual(["pending", [null]]);
  const drafts = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("parley-draft:")));
  expect(drafts.filter((key) => key.includes(asked.tool_use_id))).toEqual([]);
}

/** Types the beginning of the sentence into a new ask. If the ask times out first, the next one gets more time. */
async function typeInto(page: Page, asking: (timeout_s: number) => Promise<AskView>, isDue: boolean): Promise<AskView> {
  for (let timeout_s = isDue ? 4 : 600; ; timeout_s *= 3) {
    const asked = await asking(timeout_s);
    await visit(page, `/?agent=${asked.asked_by.name}&item=${asked.inbox_item_id}`);
    if (isDue) await expect(page.locator("form[data-card][data-ready]").or(settledCards(page))).toHaveCount(1);
    else await ready(page);
    await page.keyboard.press("3");
    await page.keyboard.type(SENTENCE[0]);
    if (
      !isDue ||
      (await ownText(page).evaluateAll(([field]) => field instanceof HTMLTextAreaElement && field.value)) ===
        SENTENCE[0]
    )
      return asked;
  }
}

/** Lets a test hold back the frames or the timers of a page, as a slow machine does. Call it before opening the page. */
const canHold = (page: Page, name: "requestAnimationFrame" | "setTimeout") =>
  page.addInitScript((name) => {
    const original = window[name];
    const start = (args: unknown[]): number => Reflect.apply(original, window, args);
    const ending = name === "setTimeout" ? "clearTimeout" : "cancelAnimationFrame";
    const originalEnd = window[ending];
    const held = new Map<number, unknown[]>();
    // The page keeps calling a released timer by the id it was given.
    const released = new Map<number, number>();
    // Far from -1, by which React says that it has no timer.
    let last = -1_000;
    const startOrHold = (...args: unknown[]) => {
      if (!("held" in document.documentElement.dataset)) return start(args);
      held.set(--last, args);
      return last;
    };
    // What the page calls off must not run, whether it is still held or already released.
    const end = (id: number | undefined) => {
      if (id === undefined || held.delete(id)) return;
      Reflect.apply(originalEnd, window, [released.get(id) ?? id]);
    };
    Object.assign(window, { [name]: startOrHold, [ending]: end });
    window.addEventListener("release", () => {
      delete document.documentElement.dataset.held;
      for (const [id, args] of held) released.set(id, start(args));
      held.clear();
    });
  }, name);
const hold = (page: Page) =>
  page.evaluate(() => {
    document.documentElement.dataset.held = "";
  });
const release = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event("release")));

/** The rest of the sentence, and the keys that would send it. */
async function typeOn(page: Page): Promise<void> {
  await page.keyboard.type(SENTENCE[1]);
  await page.keyboard.press("Control+Enter");
}

for (const [outcome, notice, settle] of [
  ["answered", "Kenji answered first.", (request, asked) => answer(request, asked, "mit", "Kenji")],
  ["cancelled", "Kenji cancelled this question.", cancel],
  ["timeout", "This question timed out.", async () => {}],
] as Array<[string, string, (request: APIRequestContext, asked: AskView) => Promise<void>]>) {
  test(`inbox: the rest of a sentence answers nothing when its question is ${outcome}`, async ({ page, request }) => {
    const agent = `inbox-${outcome}`;
    const next = await ask(request, { ...DEPLOY, agent });
    const asked = await typeInto(
      page,
      (timeout_s) => ask(request, { ...OOM, agent, timeout_s }),
      outcome === "timeout",
    );
    await settle(request, asked);
    await expect(page.getByText(notice)).toBeVisible();
    await expect(ownText(page)).toBeFocused();
    await typeOn(page);
    await expect(ownText(page)).toHaveValue(SENTENCE[0]);
    if (outcome === "answered") {
      // The list reloads without it, but its card stays.
      await page.evaluate(() => window.dispatchEvent(new Event("offline")));
      await expect(page.locator("[data-item]")).toHaveCount(1);
      await typeOn(page);
    }
    if (outcome === "timeout") {
      // Open again, but the sentence has a gap: nothing is sent until the person has looked.
      await post(request, "/api/task/reopen", { session_id: asked.session_id, tool_use_id: asked.tool_use_id });
      await expect(page.getByText("This question was settled and then reopened.")).toBeVisible();
      await typeOn(page);
      await expect(ownText(page)).toHaveValue(SENTENCE[0]);
      expect((await readAsk(request, asked)).status).toBe("pending");
    }
    await isUntouched(page, request, next);
    await expect(page).toHaveURL(new RegExp(asked.inbox_item_id));
    await page.keyboard.press("Escape");
    await expect(page.getByText(notice)).toHaveCount(0);
    // The person has left the field on purpose, so keys are shortcuts again.
    await page.keyboard.press("j");
    await expect(openCards(page)).toContainText(["Deploy payments"]);
    await page.keyboard.press("Control+Enter");
    await expect(page.getByText("Not sent: choose an answer first.")).toBeVisible();
    await isUntouched(page, request, next);
  });
}

test("thread: the field stays, no shortcut opens anything, and the other question stays open", async ({
  page,
  request,
}) => {
  const asked = await ask(request, OOM);
  const next = await ask(request, { ...DEPLOY, session_id: asked.session_id });
  await visit(page, `/conversations/${asked.session_id}`);
  await live(page);
  await openCards(page).first().getByRole("radio", { name: "Other…" }).check();
  await ownText(page).click();
  await page.keyboard.type(SENTENCE[0]);
  await answer(request, asked, "mit", "Kenji");
  await expect(page.getByText("Kenji answered first.")).toBeVisible();
  await page.keyboard.type("h q 1 ");
  await typeOn(page);
  await expect(ownText(page)).toBeFocused();
  await expect(page.getByRole("complementary", { name: "Rounds" })).toHaveCount(0);
  await isUntouched(page, request, next);
  await page.getByRole("button", { name: "Close form" }).click();
  await expect(settledCards(page)).toContainText("MIT");
  await expect(settledCards(page)).toContainText("Your draft was not sent");
  await page.keyboard.press("Control+Enter");
  await isUntouched(page, request, next);
});

test("a question that another person answers stays a field while this one types in it", async ({ page, request }) => {
  const options = [{ label: "The first" }, { label: "The second" }];
  const asked = await ask(request, {
    questions: ["Which host?", "Which port?"].map((question) => ({ question, header: question, options })),
  });
  await visit(page, `/conversations/${asked.session_id}`);
  await live(page);
  const group = (name: string) => openCards(page).getByRole("group", { name });
  await group("Which host?").getByRole("radio", { name: "Other…" }).check();
  const host = group("Which host?").getByRole("textbox");
  await host.click();
  await expect(host).toBeFocused();
  await ready(page);
  await page.keyboard.insertText("ほす");
  await expect(host).toHaveValue("ほす");
  await answer(request, asked, "The first", "Kenji");
  await expect(page.getByText("Kenji answered this part first.")).toBeVisible();
  await page.keyboard.insertText("ト");
  await page.keyboard.press("Control+Enter");
  await expect(host).toBeFocused();
  await page.keyboard.type("mei");
  await expect(host).toHaveValue("ほす");
  expect((await readAsk(request, asked)).status).toBe("pending");
  await page.keyboard.press("Escape");
  await expect(host).toHaveCount(0);
  await group("Which port?").getByRole("radio", { name: "The second" }).check();
  await ready(page);
  await page.keyboard.press("Control+Enter");
  await expect(settledCards(page)).toContainText("The second");
  const answers = (await readAsk(request, asked)).result?.answers;
  expect(answers?.map(({ labels, text }) => [labels, text])).toEqual([
    [["The first"], null],
    [["The second"], null],
  ]);
});

test("keys typed after sending an answer go to no other question; a click makes keys count again", async ({
  page,
  request,
}) => {
  const agent = "typed-on";
  await canHold(page, "setTimeout");
  const asked = await ask(request, { ...OOM, agent, timeout_s: 600 });
  const next = await ask(request, { ...DEPLOY, agent });
  await visit(page, `/?agent=${agent}&item=${asked.inbox_item_id}`);
  await ready(page);
  await page.keyboard.press("3");
  await page.keyboard.type(SENTENCE[0]);
  // However slow the machine is, the pause does not end before the person has typed on.
  await hold(page);
  await page.keyboard.press("Control+Enter");
  await expect(openCards(page)).toContainText(["Deploy payments"]);
  await page.keyboard.type("o 1 ");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByTestId("key-guard")).toContainText("what you typed afterwards was ignored");
  await isUntouched(page, request, next);
  await release(page);
  await expect.poll(async () => (await readAsk(request, asked)).result?.answers[0]?.text).toBe(SENTENCE[0]);
  // Numbers and Ctrl+Enter also work after a click on a row.
  await page.getByRole("link", { name: "Deploy payments" }).click();
  await expect(page.getByTestId("key-guard")).toBeEmpty();
  await ready(page);
  await page.keyboard.press("2");
  await page.keyboard.press("Control+Enter");
  await expect.poll(async () => (await readAsk(request, next)).result?.answers[0]?.value).toBe(false);
});

test("the composer keeps its text when the conversation is closed, and a field that vanishes takes no shortcuts with it", async ({
  page,
  request,
}) => {
  const asked = await ask(request, DEPLOY);
  await visit(page, `/conversations/${asked.session_id}`);
  await live(page);
  const composer = page.getByRole("textbox", { name: "Message to the agent" });
  await composer.click();
  await page.keyboard.type(SENTENCE[0]);
  await post(request, `/api/sessions/${asked.session_id}/close`, {});
  await expect(page.getByText("This conversation is closed.")).toBeVisible();
  await typeOn(page);
  await expect(composer).toHaveValue(SENTENCE[0]);
  await page.keyboard.type("wit");
  await composer.evaluate((field) => field.remove());
  await page.keyboard.type("h");
  await expect(page.getByTestId("key-guard")).toContainText("the field you were typing in is gone");
  await expect(page.getByRole("complementary", { name: "Rounds" })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await page.keyboard.press("h");
  await expect(page.getByRole("complementary", { name: "Rounds" })).toBeVisible();
});

test("a page that paints late does not take the focus from the next question", async ({ page, request }) => {
  await canHold(page, "requestAnimationFrame");
  const asked = await ask(request, { question_text: "Which port?", type: "text" });
  await visit(page, `/conversations/${asked.session_id}`);
  await live(page);
  await ready(page);
  await openCards(page).getByRole("textbox").first().click();
  await page.keyboard.type("99999");
  await hold(page);
  await page.keyboard.press("Control+Enter");
  await expect(settledCards(page)).toContainText("99999");
  await ask(request, { question_text: "Which other port?", type: "text", session_id: asked.session_id });
  const next = openCards(page).getByRole("textbox").first();
  await next.click();
  await page.keyboard.type("80");
  await release(page);
  await page.keyboard.type("80");
  await expect(next).toHaveValue("8080");
});

test("Esc leaves the field of a reopened question at once, even if the page paints late", async ({ page, request }) => {
  await canHold(page, "requestAnimationFrame");
  const asked = await typeInto(page, (timeout_s) => ask(request, { ...OOM, agent: "late-paint", timeout_s }), true);
  await expect(page.getByText("This question timed out.")).toBeVisible();
  await post(request, "/api/task/reopen", { session_id: asked.session_id, tool_use_id: asked.tool_use_id });
  const notice = page.getByText("This question was settled and then reopened.");
  await expect(notice).toBeVisible();
  await hold(page);
  await page.keyboard.press("Escape");
  await expect(notice).toHaveCount(0);
  await page.keyboard.type("j");
  await expect(ownText(page)).toHaveValue(SENTENCE[0]);
  await release(page);
  await ownText(page).click();
  await page.keyboard.type("job");
  await expect(ownText(page)).toHaveValue(`${SENTENCE[0]}job`);
});

test("thread: a sentence full of shortcut letters ends with its question, by a colleague or by the deadline", async ({
  page,
  request,
}) => {
  for (const isDue of [false, true]) {
    const next = await ask(request, DEPLOY);
    const { session_id } = next;
    let asked: AskView;
    // If it times out before the first words are typed, the next one gets more time.
    for (let timeout_s = isDue ? 4 : 600; ; timeout_s *= 3) {
      asked = await ask(request, { ...OOM, session_id, timeout_s });
      await visit(page, `/conversations/${session_id}`);
      await live(page);
      const card = page.locator(`[data-ask="${asked.tool_use_id}"][data-status=pending]`);
      if ((await card.count()) === 0) continue;
      await card
        .getByRole("radio", { name: "Other…" })
        .check({ timeout: 10_000 })
        .catch(() => {});
      // Choosing Other leads to its field.
      await page.keyboard.type(SENTENCE[0]);
      const typed = await ownText(page).evaluateAll(([field]) => field instanceof HTMLTextAreaElement && field.value);
      if (typed === SENTENCE[0]) break;
    }
    if (!isDue) await answer(request, asked, "mit", "Kenji");
    await expect(page.getByText(isDue ? "This question timed out." : "Kenji answered first.")).toBeVisible();
    await page.keyboard.type("y n r j k x b e u z h q 1 2 ");
    await typeOn(page);
    await expect(ownText(page)).toBeFocused();
    await expect(ownText(page)).toHaveValue(SENTENCE[0]);
    await isUntouched(page, request, next);
    await page.keyboard.press("Escape");
  }
});

test("inbox: one key answers a yes-or-no question, and another takes it back", async ({ page, request }) => {
  const agent = "one-key";
  const first = await ask(request, { ...DEPLOY, agent });
  const second = await ask(request, { ...DEPLOY, agent, question_text: "And the second?" });
  await canHold(page, "setTimeout");
  await visit(page, `/?agent=${agent}&item=${first.inbox_item_id}`);
  await ready(page);
  await hold(page);
  await page.keyboard.press("y");
  await expect(page.getByRole("button", { name: "Undo" }).first()).toBeVisible();
  await expect(openCards(page)).toContainText(["And the second?"]);
  await page.keyboard.press("u");
  await expect(openCards(page)).toContainText(["Deploy payments"]);
  await expect(openCards(page).getByRole("radio", { name: "Yes" })).toBeChecked();
  await expect(openCards(page).getByRole("heading")).toBeFocused();
  await release(page);
  expect((await readAsk(request, first)).status).toBe("pending");
  expect((await readAsk(request, second)).status).toBe("pending");
  await ready(page);
  await page.keyboard.press("n");
  await expect.poll(async () => (await readAsk(request, first)).result?.answers[0]?.value).toBe(false);
});

test.describe("a held answer", () => {
  // Someone else was first, which the server says with a 400.
  test.use({ expectedErrors: [/400|409/] });
  test("inbox: it is sent when the page goes, once, and one that came too late stays a draft", async ({
    page,
    request,
  }) => {
    const agent = "leaving";
    const asked = await ask(request, { ...LICENCE, agent });
    const lost = await ask(request, { ...LICENCE, agent, question_text: "Which other licence?" });
    await canHold(page, "setTimeout");
    await visit(page, `/?agent=${agent}&item=${asked.inbox_item_id}`);
    await ready(page);
    await hold(page);
    await page.keyboard.press("1");
    await page.keyboard.press("Control+Enter");
    await expect(openCards(page)).toContainText(["Which other licence?"]);
    expect((await readAsk(request, asked)).status).toBe("pending");
    await page.goto("/connect");
    await expect.poll(async () => (await readAsk(request, asked)).status).toBe("answered");
    const audit = await (await request.get("/api/audit", { params: { session_id: asked.session_id } })).json();
    expect(audit.events.filter((event: { action: string }) => event.action === "question.answered")).toHaveLength(1);

    await visit(page, `/?agent=${agent}&item=${lost.inbox_item_id}`);
    await ready(page);
    await hold(page);
    await page.keyboard.press("1");
    await page.keyboard.press("Control+Enter");
    await expect(page.getByText("Sending…").first()).toBeVisible();
    await answer(request, lost, "apache", "Kenji");
    await release(page);
    await expect(page.getByText("Someone else settled “Which other licence?” first").first()).toBeVisible();
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await expect(settledCards(page)).toContainText("Your draft was not sent");
    expect((await readAsk(request, lost)).result?.answers[0]?.option_ids).toEqual(["apache"]);
  });
});
