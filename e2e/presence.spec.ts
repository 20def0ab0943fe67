import type { Locator, Page } from "@playwright/test";
import { LICENCE, live, openCards, reload, settledCards, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";
import { accessible, sidewaysBy } from "./looks.ts";
import { asAna, asMei, newAgent, OWN_SERVER, otherBrowser } from "./team.ts";

test.use(OWN_SERVER);

const present = (page: Page) => page.getByTestId("present");
const typing = (page: Page, { inbox_item_id }: { inbox_item_id: string }) =>
  page.locator(`[data-item="${inbox_item_id}"]`).getByTestId("typing");
const at = ({ inbox_item_id }: { inbox_item_id: string }) => `/?item=${inbox_item_id}`;
const ownAnswer = (page: Page) => openCards(page).getByRole("textbox", { name: "Your own answer" });

/** Someone who pauses counts as not typing after a few seconds, which may pass before a slow page is checked. */
const whileTyping = (field: Locator, check: (within: { timeout: number }) => Promise<void>) =>
  expect(async () => {
    await field.press("x");
    await check({ timeout: 2_000 });
  }).toPass();

test.beforeEach(async ({ context, server }) => asAna(server, context.request));

test("people see who else has a question open and who is typing, and nothing moves", async ({
  page,
  browser,
  server,
}) => {
  const agent = await newAgent(page.request, "presence");
  const asked = await agent.ask({ ...LICENCE, title: "Presence" });
  const other = await otherBrowser(browser, server, [/ERR_INTERNET_DISCONNECTED/]);
  await asMei(page.request, other.context);
  const theirs = await other.context.newPage();
  await visit(page, at(asked));
  await live(page);
  const card = openCards(page);
  await expect(card).toBeVisible();
  const placeOf = async () => ({
    card: await card.boundingBox(),
    submit: await page.getByRole("button", { name: "Submit" }).boundingBox(),
  });
  const before = await placeOf();
  await expect(present(page)).toHaveCount(0);

  await visit(theirs, at(asked));
  await expect(present(page)).toHaveText(/Mei is looking at this$/);
  await expect(present(theirs)).toHaveText(/Ana is looking at this$/);
  await openCards(theirs).getByRole("radio", { name: "Other…" }).check();
  await whileTyping(ownAnswer(theirs), async (within) => {
    await expect(present(page)).toHaveText(/Mei is typing…$/, within);
    await expect(typing(page, asked)).toContainText("Mei is typing…", within);
    expect(await placeOf()).toEqual(before);
  });
  await expect(typing(theirs, asked)).toHaveCount(0);
  await expect(card.getByRole("status").filter({ hasText: "Mei is typing…" })).toHaveCount(1);
  await accessible(page, "a card with someone else", { part: "article" });

  // A page that is opened later shows it at once, and a person who pauses is no longer typing.
  await reload(page);
  await expect(present(page)).toHaveText(/Mei is (typing…|looking at this)$/);
  await expect(present(page)).toHaveText(/Mei is looking at this$/);
  await expect(typing(page, asked)).toHaveCount(0);

  // A lost connection takes them away, and a new one brings them back.
  await other.context.setOffline(true);
  await expect(present(page)).toHaveCount(0);
  await expect(present(theirs)).toHaveCount(0);
  await other.context.setOffline(false);
  await expect(present(page)).toHaveText(/Mei is looking at this$/);
  await expect(present(theirs)).toHaveText(/Ana is looking at this$/);

  await visit(theirs, "/people");
  await expect(present(page)).toHaveCount(0);
  await other.close();
});

test("a claim, a notification and a similar question move no option of a card", async ({ page, browser, server }) => {
  const agent = await newAgent(page.request, "still");
  const asked = await agent.ask({ ...LICENCE, title: "Still" });
  const other = await otherBrowser(browser, server);
  await asMei(page.request, other.context);
  await visit(page, at(asked));
  await live(page);
  await page.setViewportSize({ width: 390, height: 844 });
  const option = openCards(page).getByRole("radio", { name: "Apache-2.0" });
  const before = await option.boundingBox();
  const claimed = await other.context.request.post("/api/inbox/claim", {
    data: { inbox_item_ids: [asked.inbox_item_id] },
  });
  expect(claimed.status(), await claimed.text()).toBe(200);
  await expect(page.getByTestId("holder")).toContainText("Mei");
  await agent.ask({ ...LICENCE, title: "Also still" });
  await expect(page.getByText("One of 2 similar questions")).toBeVisible();
  expect(await option.boundingBox()).toEqual(before);
  await other.close();
});

test("it is seen in the thread and on a phone, and ends with the answer", async ({ page, browser, server }) => {
  const agent = await newAgent(page.request, "thread-presence");
  const asked = await agent.ask({ ...LICENCE, title: "Presence in a thread" });
  const other = await otherBrowser(browser, server);
  await asMei(page.request, other.context);
  const theirs = await other.context.newPage();
  await theirs.setViewportSize({ width: 390, height: 844 });
  await visit(page, `/conversations/${asked.session_id}`);
  await visit(theirs, `/conversations/${asked.session_id}`);
  await expect(present(page)).toHaveText(/Mei is looking at this$/);
  await expect(present(theirs)).toHaveText(/Ana is looking at this$/);
  await page.getByRole("button", { name: "Add note" }).click();
  await whileTyping(openCards(page).getByRole("textbox", { name: "Note to the agent" }), (within) =>
    expect(present(theirs)).toHaveText(/Ana is typing…$/, within),
  );
  expect(await sidewaysBy(theirs)).toBeLessThanOrEqual(0);
  await openCards(page).getByRole("radio", { name: "MIT" }).check();
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(settledCards(theirs)).toContainText("MIT");
  await expect(present(theirs)).toHaveCount(0);
  await other.close();
});
