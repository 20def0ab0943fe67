import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { LICENCE, openCards, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";
import { accessible, prefer, sidewaysBy } from "./looks.ts";
import { ANA, asAna, newAgent, PASSWORD, post } from "./team.ts";

test.use({
  settings: { NOTIFY_PRIVATE_HOSTS: "127.0.0.1" },
  permissions: ["notifications"],
  // A signed-out phone is what one of these tests is about.
  expectedErrors: [/status of 401/],
});

const dialog = (page: Page) => page.getByRole("dialog");
const others = (page: Page) => page.getByRole("list", { name: "Other channels" });

test.beforeEach(async ({ context, server }) => asAna(server, context.request));

/** A server that takes what ntfy would, and remembers it. */
async function ntfy(): Promise<{ url: string; messages: Array<Record<string, unknown>>; close: () => Promise<void> }> {
  const messages: Array<Record<string, unknown>> = [];
  const server: Server = createServer(async (req, res) => {
    let body = "";
    for await (const chunk of req) body += chunk;
    messages.push(JSON.parse(body));
    res.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/ana`,
    messages,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

test("the side bar leads to the page, which offers a phone no address that only this machine can open", async ({
  page,
}) => {
  await visit(page, "/");
  await page.getByRole("navigation").getByRole("link", { name: "Notifications" }).click();
  await expect(page.getByText(/which no phone can reach. Set PUBLIC_URL/)).toBeVisible();
  await expect(page.getByRole("img", { name: "QR code with this page’s address" })).toHaveCount(0);
});

test("a channel is added, tested, used, shown on the card and removed", async ({ page }) => {
  const { url, messages, close } = await ntfy();
  await visit(page, "/notifications");
  await expect(page.getByRole("heading", { name: "This device" })).toBeVisible();
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await accessible(page, "adding a channel", { part: "[role=dialog]" });
  await dialog(page).getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog(page).getByRole("alert")).toContainText("Enter an address.");
  await dialog(page).getByLabel("Topic").fill(url);
  await dialog(page).getByRole("button", { name: "Add", exact: true }).click();
  await expect(others(page)).toContainText("ntfy");
  await others(page).getByRole("button", { name: "Send a test" }).click();
  await expect(others(page)).toContainText("Working");
  expect(messages).toHaveLength(1);

  const agent = await newAgent(page.request, "notifies");
  const asked = await agent.ask({ ...LICENCE, title: "Notified" });
  await expect.poll(() => messages.length).toBe(2);
  expect(JSON.stringify(messages[1])).toContain("Which licence?");
  await visit(page, `/?item=${asked.inbox_item_id}`);
  const notified = page.getByTestId("notified");
  await expect(notified).toContainText("1 notified");
  await notified.getByRole("button").click();
  await expect(dialog(page).getByRole("listitem")).toContainText(["Ana"]);
  await expect(dialog(page)).toContainText("Sent");
  await page.keyboard.press("Escape");
  // The agent learns that someone has seen it.
  await expect.poll(async () => (await agent.read(asked)).notification_status?.seen_by).toBe("Ana");

  await visit(page, "/notifications");
  await others(page).getByRole("button", { name: "Log" }).click();
  await expect(dialog(page)).toContainText("Sent");
  await page.keyboard.press("Escape");
  await close();
  await others(page).getByRole("button", { name: "Send a test" }).click();
  await expect(page.getByText("The test could not be sent").first()).toBeVisible();
  await others(page).getByRole("button", { name: "Remove" }).click();
  await dialog(page).getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("No other channels yet.")).toBeVisible();
});

test("the steps of a space are edited as sentences", async ({ page }) => {
  await visit(page, "/spaces");
  const open = async () => {
    await page.getByRole("button", { name: "Actions for Everyone" }).click();
    await page.getByRole("menuitem", { name: "Notifications…" }).click();
  };
  await open();
  await expect(dialog(page)).toContainText("Immediately: assignee (or members), the space’s channels.");
  await expect(dialog(page)).toContainText("After 15 min: members.");
  await dialog(page).getByLabel("Amount of time, step 2").fill("20");
  await dialog(page).getByRole("button", { name: "Add step" }).click();
  await dialog(page).getByLabel("When to notify, step 4").click();
  await page.getByRole("option", { name: "Before the deadline" }).click();
  await dialog(page)
    .getByRole("switch", { name: /Keep question text/ })
    .click();
  await accessible(page, "the steps of a space", { part: "[role=dialog]" });
  await dialog(page).getByRole("button", { name: "Save steps" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await open();
  await expect(dialog(page)).toContainText("After 20 min: members.");
  await expect(dialog(page)).toContainText("1 h before the deadline: admins.");
  await expect(dialog(page).getByRole("switch", { name: /Keep question text/ })).toBeChecked();
  await dialog(page).getByRole("button", { name: "Use default steps" }).click();
  await dialog(page)
    .getByRole("switch", { name: /Keep question text/ })
    .click();
  await dialog(page).getByRole("button", { name: "Save steps" }).click();
  await expect(dialog(page)).toHaveCount(0);
});

test("quiet hours and the choice for a space are kept", async ({ page }) => {
  await visit(page, "/notifications");
  // What the page shows is refreshed after each change: that may take longer than the next change.
  let refresh = () => {};
  const refreshed = new Promise<void>((resolve) => {
    refresh = resolve;
  });
  await page.route(/[?&]_rsc=/, async (route) => {
    await refreshed;
    await route.continue();
  });
  await page.getByRole("switch", { name: "Use quiet hours" }).click();
  await page.getByLabel("From", { exact: true }).fill("21:30");
  await page.getByRole("checkbox", { name: "Sun" }).uncheck({ force: true });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Quiet hours saved." })).toBeVisible();
  await page.getByRole("combobox", { name: "Notifications from Everyone" }).click();
  await page.getByRole("option", { name: "Only those assigned to me" }).click();
  await expect
    .poll(async () => {
      const { quiet_hours, spaces } = await (await page.request.get("/api/me")).json();
      return [quiet_hours, spaces[0].notify];
    })
    .toEqual([{ from: "21:30", to: "07:00", days: [1, 2, 3, 4, 5, 6] }, "assigned"]);
  await page.getByRole("switch", { name: "Use quiet hours" }).click();
  await expect.poll(async () => (await (await page.request.get("/api/me")).json()).quiet_hours).toBeNull();
  refresh();
  await post(page.request, "/api/me/spaces/spc_everyone", { notify: "all" });
});

for (const [language, width] of [
  ["en", 1280],
  ["ja", 390],
  ["zh", 390],
] as const)
  test(`the page of notifications is accessible in ${language} at ${width} px`, async ({ page, server }) => {
    await page.setViewportSize({ width, height: 900 });
    await prefer(page, server.url, language);
    await visit(page, "/notifications");
    await expect(page.locator("main h2")).toHaveCount(5);
    await accessible(page, `notifications in ${language}`, { colours: language === "en" });
    expect(await sidewaysBy(page)).toBe(0);
  });

/** Answers the one open card with the given option, in two taps at most. */
async function twoTaps(page: Page, option: string): Promise<void> {
  const card = openCards(page);
  await expect(card).toContainText("Which licence?");
  await card.getByRole("radio", { name: option }).tap();
  // A lone choice is sent with the tap itself, after the time to undo it.
  const submit = card.getByRole("button", { name: "Submit" });
  if (await submit.isVisible()) await submit.tap();
}

test.describe("on a phone", () => {
  test.use({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    // A phone is offline now and then, and its session ends.
    expectedErrors: [/status of 401|ERR_INTERNET_DISCONNECTED/],
  });

  test("a link in a notification opens the card over a slow network, and two taps answer it", async ({
    page,
    context,
  }) => {
    const agent = await newAgent(page.request, "phones");
    const asked = await agent.ask({ ...LICENCE, title: "On the phone" });
    const network = await context.newCDPSession(page);
    await network.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 300,
      downloadThroughput: 100_000,
      uploadThroughput: 50_000,
    });
    await visit(page, `/?item=${asked.inbox_item_id}`);
    expect(await sidewaysBy(page)).toBe(0);
    await twoTaps(page, "MIT");
    await expect.poll(async () => (await agent.read(asked)).status).toBe("answered");
  });

  test("a phone that was offline shows the card of its notification, and two taps answer it", async ({
    page,
    context,
  }) => {
    const agent = await newAgent(page.request, "reconnects");
    const earlier = await agent.ask({ ...LICENCE, title: "Before" });
    await visit(page, `/conversations/${earlier.session_id}`);
    await expect(page.locator("[data-connection=live]")).toBeAttached();
    await context.setOffline(true);
    await page.evaluate(() => window.dispatchEvent(new Event("offline")));
    await expect(page.locator("[data-connection=lost]")).toBeAttached();
    const asked = await agent.ask({ ...LICENCE, title: "While offline" });
    await context.setOffline(false);
    await expect(page.locator("[data-connection=live]")).toBeAttached();
    await visit(page, `/?item=${asked.inbox_item_id}`);
    await twoTaps(page, "MIT");
    await expect.poll(async () => (await agent.read(asked)).status).toBe("answered");
  });

  test("a phone whose session has ended signs in on the way to the card, and two taps answer it", async ({
    page,
    context,
  }) => {
    const agent = await newAgent(page.request, "expired");
    const asked = await agent.ask({ ...LICENCE, title: "Expired" });
    await context.clearCookies();
    await page.goto(`/?item=${asked.inbox_item_id}`);
    await expect(page).toHaveURL(/\/sign-in\?next=/);
    await page.getByLabel("Email or login").fill(ANA.login);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).tap();
    await expect(page).toHaveURL(new RegExp(`item=${asked.inbox_item_id}`));
    await expect(openCards(page)).toBeVisible();
    expect(await sidewaysBy(page)).toBe(0);
    await twoTaps(page, "MIT");
    await expect
      .poll(async () => (await agent.read(asked)).result?.decided_by)
      .toMatchObject({ name: "Ana", provenance: "sign_in" });
  });
});
