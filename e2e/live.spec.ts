import { answer, ask, LICENCE, openCards, readAsk, settledCards, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";

const OFFLINE = [/WebSocket connection|Failed to load resource|ERR_|net::|50\d/];

test.describe("a lost connection", () => {
  test.use({ expectedErrors: OFFLINE });

  test("is shown quietly, and everything missed arrives afterwards, once", async ({ page, request, context }) => {
    const asked = await ask(request, LICENCE);
    await visit(page, `/conversations/${asked.session_id}`);
    await expect(page.locator("[data-connection=live]")).toBeVisible();
    await openCards(page).getByRole("radio", { name: "Other…" }).check();
    await openCards(page).getByRole("textbox", { name: "Your own answer" }).fill("written before");
    await context.setOffline(true);
    await page.evaluate(() => window.dispatchEvent(new Event("offline")));
    await expect(page.locator("[data-connection=lost]")).toContainText("Reconnecting");
    for (const text of ["one", "two", "three"]) {
      await request.post(`/api/sessions/${asked.session_id}/messages`, { data: { text } });
    }
    const second = await ask(request, { ...LICENCE, session_id: asked.session_id, question_text: "And this?" });
    await context.setOffline(false);
    await expect(page.locator("[data-connection=live]")).toBeVisible();
    for (const text of ["one", "two", "three"]) await expect(page.getByText(text, { exact: true })).toHaveCount(1);
    await expect(openCards(page)).toHaveCount(2);
    await expect(openCards(page).first().getByRole("textbox", { name: "Your own answer" })).toHaveValue(
      "written before",
    );
    expect((await readAsk(request, second)).status).toBe("pending");
  });
});

test("the inbox misses nothing that happens before it is connected, or while it is not", async ({ page, request }) => {
  const agent = "gaps";
  const first = await ask(request, { ...LICENCE, agent, question_text: "Gap one?" });
  const row = (question: string) => page.getByRole("link", { name: question });
  let open = () => {};
  const gate = () =>
    new Promise<void>((resolve) => {
      open = resolve;
    });
  let gated = gate();
  await page.routeWebSocket(/socket\.io/, async (socket) => {
    await gated;
    socket.connectToServer();
  });
  await visit(page, `/?agent=${agent}&item=${first.inbox_item_id}`);
  await expect(openCards(page)).toContainText(["Gap one?"]);
  await answer(request, first, "mit", "Kenji");
  const second = await ask(request, { ...LICENCE, agent, question_text: "Gap two?" });
  await expect(row("Gap two?")).toHaveCount(0);
  open();
  await expect(settledCards(page)).toContainText("Kenji · API");
  await row("Gap two?").click();
  await expect(openCards(page)).toContainText(["Gap two?"]);

  gated = gate();
  await page.evaluate(() => window.dispatchEvent(new Event("offline")));
  await expect(page.locator("[data-connection=lost]")).toBeVisible();
  await answer(request, second, "apache", "Mei");
  await ask(request, { ...LICENCE, agent, question_text: "Gap three?" });
  await expect(openCards(page)).toContainText(["Gap two?"]);
  open();
  await expect(settledCards(page)).toContainText("Mei · API");
  await expect(row("Gap three?")).toBeVisible();
});

test.describe("a server that is killed", () => {
  test.use({ expectedErrors: OFFLINE });

  test("with a card open loses nothing: the card is answered after the restart", async ({ page, request, server }) => {
    const asked = await ask(request, LICENCE);
    await visit(page, `/conversations/${asked.session_id}`);
    await expect(page.locator("[data-connection=live]")).toBeVisible();
    await openCards(page).getByRole("radio", { name: "MIT" }).check();
    await server.kill();
    await expect(page.locator("[data-connection=lost]")).toBeVisible();
    await openCards(page)
      .getByRole("button", { name: /Submit/ })
      .click();
    await expect(page.getByText("Can’t reach Parley.")).toBeVisible();
    await server.restart();
    await expect(page.locator("[data-connection=live]")).toBeVisible();
    await openCards(page)
      .getByRole("button", { name: /Submit/ })
      .click();
    await expect(settledCards(page)).toContainText("MIT");
    expect((await readAsk(request, asked)).result?.answers[0]?.option_ids).toEqual(["mit"]);
  });
});

test.describe("a server that is killed under an inbox", () => {
  test.use({ expectedErrors: OFFLINE });

  test("is said in a banner, and the list recovers automatically", async ({ page, request, server }) => {
    const agent = "recovers";
    await ask(request, { ...LICENCE, agent, question_text: "Before the restart?" });
    await visit(page, `/?agent=${agent}`);
    await expect(page.locator("[data-connection=live]")).toBeVisible();
    await expect(openCards(page)).toContainText(["Before the restart?"]);
    await expect(page.getByRole("button", { name: "Filter", exact: true })).toBeVisible();
    await server.kill();
    await expect(page.getByText("No connection to Parley.")).toBeVisible();
    await page.getByRole("searchbox", { name: "Search" }).fill("restart");
    await server.restart();
    await ask(request, { ...LICENCE, agent, question_text: "After the restart?" });
    await expect(page.getByRole("link", { name: "After the restart?" })).toBeVisible();
    await expect(page.getByText("No connection to Parley.")).toHaveCount(0);
    await expect(page.getByText("Can’t reach Parley")).toHaveCount(0);
  });
});

/** A thread of this many messages, as Claude Code writes it. */
function jsonl(count: number): string {
  const line = (number: number) => ({
    type: number % 2 ? "user" : "assistant",
    uuid: `uuid-${number}`,
    parentUuid: number === 0 ? null : `uuid-${number - 1}`,
    sessionId: "long",
    timestamp: new Date(1_760_000_000_000 + number * 1_000).toISOString(),
    message: {
      role: number % 2 ? "user" : "assistant",
      content: [{ type: "text", text: `Message number ${number} with **some** text.` }],
    },
  });
  return `${Array.from({ length: count }, (_, number) => JSON.stringify(line(number))).join("\n")}\n`;
}

test("a thread of 5,000 messages is imported, opens at its end, and loads older pages without a jump", async ({
  page,
}) => {
  await visit(page, "/conversations");
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "long.jsonl", mimeType: "application/x-ndjson", buffer: Buffer.from(jsonl(5_000)) });
  await expect(page).toHaveURL(/\/conversations\/.+/);
  await expect(page.getByText("Message number 4999 with")).toBeInViewport();
  expect(await page.locator("[data-sequence]").count()).toBeLessThanOrEqual(600);
  // Counted from the beginning of the thread, although only its end is loaded.
  await expect(page.getByRole("heading", { name: "Exchange 2500", exact: true })).toBeVisible();

  const scroller = page.getByRole("region", { name: "Conversation" });
  const oldest = page.locator("[data-sequence]").first();
  const from = Number(await oldest.getAttribute("data-sequence"));
  // Scroll up by hand to where older pages load. They are held back until the visible part is drawn and measured.
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/messages?**", async (route) => {
    await released;
    await route.continue();
  });
  await scroller.evaluate((place) => place.scrollTo({ top: -(place.scrollHeight - place.clientHeight) + 500 }));
  const inView = () =>
    page.evaluate(async () => {
      for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
      const view = document.querySelector(".thread-scroller")?.getBoundingClientRect();
      const entry = [...document.querySelectorAll<HTMLElement>("[data-sequence]")].find(
        (each) => each.getBoundingClientRect().top > (view?.top ?? 0),
      );
      return { sequence: entry?.dataset.sequence, top: Math.round(entry?.getBoundingClientRect().top ?? 0) };
    });
  await expect
    .poll(async () => {
      const before = await inView();
      const after = await inView();
      return before.sequence === after.sequence && before.top === after.top;
    })
    .toBe(true);
  const seen = await inView();
  release();
  await expect.poll(async () => Number(await oldest.getAttribute("data-sequence"))).toBeLessThan(from);
  // Every second message is from a person.
  const heading = page.getByRole("heading", { name: /^Exchange/ }).first();
  const [sequence, number] = await heading.evaluate((place) => [
    Number(place.nextElementSibling?.getAttribute("data-sequence")),
    Number(place.textContent?.replace(/\D/g, "")),
  ]);
  expect(number).toBe((sequence ?? 0) / 2);
  expect((await inView()).sequence).toBe(seen.sequence);
  expect(Math.abs((await inView()).top - seen.top)).toBeLessThan(20);

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export as JSONL" }).click();
  const lines = (await (await download).createReadStream()).setEncoding("utf8");
  let text = "";
  for await (const chunk of lines) text += chunk;
  expect(text.trim().split("\n")).toHaveLength(5_000);
});

test("a person who has scrolled up is not pulled down, and sees how much is new", async ({ page, request }) => {
  const asked = await ask(request, LICENCE);
  const say = (text: string) => request.post(`/api/sessions/${asked.session_id}/messages`, { data: { text } });
  for (let number = 0; number < 30; number++) await say(`Line ${number}\n\n\n\nand more`);
  await visit(page, `/conversations/${asked.session_id}`);
  const scroller = page.getByRole("region", { name: "Conversation" });
  await expect(page.getByText("Line 29")).toBeAttached();
  await scroller.hover();
  await page.mouse.wheel(0, -2_000);
  await expect(page.getByRole("button", { name: /1 question waiting/ })).toBeVisible();
  const before = await scroller.evaluate((place) => place.scrollTop);
  await say("Something new");
  await expect(page.getByRole("button", { name: "1 new" })).toBeVisible();
  expect(Math.abs((await scroller.evaluate((place) => place.scrollTop)) - before)).toBeLessThan(400);
  await page.getByRole("button", { name: "1 new" }).click();
  await expect(page.getByText("Something new")).toBeInViewport();
  await page.mouse.wheel(0, -2_000);
  await page.getByRole("button", { name: /1 question waiting/ }).click();
  await expect(openCards(page).getByRole("radio").first()).toBeFocused();
});
