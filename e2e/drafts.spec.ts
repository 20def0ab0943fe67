import type { APIRequestContext, Page } from "@playwright/test";
import type { AskView } from "../lib/protocol/ask.ts";
import { ask, LICENCE, live, openCards, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";
import { startServer } from "./server.ts";
import { asAna, asMei, newAgent, OWN_SERVER, otherBrowser, post } from "./team.ts";

// Drafts of people who use several devices.

test.use(OWN_SERVER);

const at = ({ inbox_item_id }: { inbox_item_id: string }) => `/?item=${inbox_item_id}`;
const ownAnswer = (page: Page) => openCards(page).getByRole("textbox", { name: "Your own answer" });

/** The draft that the server keeps for the caller. */
async function saved(request: APIRequestContext, { session_id, tool_use_id }: AskView): Promise<string> {
  const response = await request.get("/api/me/drafts", { params: { session_id, tool_use_id } });
  return JSON.stringify((await response.json()).value);
}

/** The person goes to another window, or comes back to this one. */
async function setVisible(page: Page, isVisible: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
      document.dispatchEvent(new Event("visibilitychange"));
    },
    isVisible ? "visible" : "hidden",
  );
}

test.describe("a team", () => {
  test.beforeEach(async ({ context, server }) => asAna(server, context.request));

  test("a draft follows its person to another device and back, and goes with the answer", async ({
    page,
    browser,
    server,
  }) => {
    const agent = await newAgent(page.request, "drafts");
    const asked = await agent.ask({ ...LICENCE, title: "Drafts" });
    await visit(page, at(asked));
    await live(page);
    await openCards(page).getByRole("radio", { name: "Other…" }).check();
    await ownAnswer(page).fill("BSD, if the lawyers");
    await expect.poll(() => saved(page.request, asked)).toContain("BSD, if the lawyers");

    const phone = await otherBrowser(browser, server);
    await asAna(server, phone.context.request);
    const there = await phone.context.newPage();
    await there.setViewportSize({ width: 390, height: 844 });
    await visit(there, at(asked));
    await expect(ownAnswer(there)).toHaveValue("BSD, if the lawyers");
    await ownAnswer(there).fill("BSD, if the lawyers agree");
    await expect.poll(() => saved(page.request, asked)).toContain("agree");

    // Back at the first device, it continues from the phone's draft, and does not touch what is typed in the meantime.
    await setVisible(page, false);
    await setVisible(page, true);
    await expect(ownAnswer(page)).toHaveValue("BSD, if the lawyers agree");
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await ownAnswer(there).fill("Something else from the phone");
    await expect.poll(() => saved(page.request, asked)).toContain("from the phone");
    const isRead = page.waitForResponse((response) => response.url().includes("/api/me/drafts?"));
    await page.route("**/api/me/drafts?*", async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    await setVisible(page, false);
    await setVisible(page, true);
    await ownAnswer(page).fill("Typed here right now");
    release();
    await isRead;
    await expect.poll(() => saved(page.request, asked)).toContain("Typed here right now");
    await expect(ownAnswer(page)).toHaveValue("Typed here right now");

    // Mei sees nothing of it.
    const other = await otherBrowser(browser, server);
    await asMei(page.request, other.context);
    expect(await saved(other.context.request, asked)).toBe("null");
    await other.close();

    await page.getByRole("button", { name: "Submit" }).click();
    await expect.poll(async () => (await agent.read(asked)).result?.content).toContain("Typed here right now");
    await expect.poll(() => saved(page.request, asked)).toBe("null");
    await phone.close();
  });

  test("the last words are saved when the page is left, and removed when someone else answers", async ({
    page,
    browser,
    server,
  }) => {
    const agent = await newAgent(page.request, "last-words");
    const asked = await agent.ask({ ...LICENCE, title: "Last words" });
    await visit(page, at(asked));
    await openCards(page).getByRole("radio", { name: "Other…" }).check();
    await ownAnswer(page).fill("Said at the last moment");
    await page.goto("/people");
    await expect.poll(() => saved(page.request, asked)).toContain("Said at the last moment");

    await visit(page, `/conversations/${asked.session_id}`);
    await live(page);
    await expect(ownAnswer(page)).toHaveValue("Said at the last moment");
    const other = await otherBrowser(browser, server);
    await asMei(page.request, other.context);
    const { session_id, questions } = asked;
    const answer = { session_id, question_id: questions[0]?.question_id, answer: "mit" };
    await post(other.context.request, "/api/task/answer", answer);
    await expect.poll(() => saved(page.request, asked)).toBe("null");
    // Here they are still to be copied.
    await expect(page.getByText("Said at the last moment")).toBeAttached();
    await other.close();
  });
});

test("without accounts, neither drafts nor presence leave the browser", async ({ browser }) => {
  const server = await startServer();
  const { context, close } = await otherBrowser(browser, server);
  const page = await context.newPage();
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.url()));
  page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => sent.push(String(payload))));
  const asked = await ask(context.request, { ...LICENCE, title: "Alone" });
  await visit(page, at(asked));
  await live(page);
  await openCards(page).getByRole("radio", { name: "Other…" }).check();
  await ownAnswer(page).fill("Only here");
  await setVisible(page, false);
  await setVisible(page, true);
  await page.goto("/conversations");
  await visit(page, at(asked));
  await expect(ownAnswer(page)).toHaveValue("Only here");
  expect(sent.filter((each) => /drafts|presence/.test(each))).toEqual([]);
  expect(sent.some((each) => each.includes("inbox.subscribe"))).toBe(true);
  await close();
  await server.stop();
});
