import type { Page } from "@playwright/test";
import { setupLink } from "../scripts/throwaway/setup-link.ts";
import { LICENCE, openCards, visit } from "./asking.ts";
import { Authenticator } from "./authenticator.ts";
import { expect, test } from "./fixtures.ts";
import { accessible } from "./looks.ts";
import { startServer } from "./server.ts";
import { asAna, asMei, join, newAgent, OWN_SERVER, otherBrowser, PASSWORD, pathOf, post, waitLong } from "./team.ts";

// Signed out, or signed in with a passkey that was removed, is what these tests are about.
test.use({ ...OWN_SERVER, expectedErrors: [/status of (400|401|403)/] });

const passkeys = (page: Page) => page.getByRole("list", { name: "Passkeys" });
const dialog = (page: Page) => page.getByRole("dialog");
const withPasskey = (page: Page) => page.getByRole("button", { name: "Sign in with a passkey" });
const account = (page: Page) => page.getByRole("button", { name: "Account of Ana" });
const alert = (page: Page, text: string) => page.getByRole("alert").filter({ hasText: text });

/** Adds a passkey to Ana's account. */
async function add(page: Page, name: string): Promise<void> {
  await visit(page, "/me");
  await page.getByRole("button", { name: "Add passkey" }).click();
  await dialog(page).getByLabel("Name").fill(name);
  await dialog(page).getByRole("button", { name: "Continue" }).click();
  await expect(passkeys(page)).toContainText(name);
}

async function signOut(page: Page): Promise<void> {
  await account(page).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  await expect(page.locator("[data-ready]")).toBeAttached();
}

test("the first account needs no password", async ({ browser }) => {
  const server = await startServer();
  const { context, close } = await otherBrowser(browser, server, [/status of 401/]);
  const page = await context.newPage();
  const device = await Authenticator.of(page);
  await visit(page, pathOf(await setupLink(server.databaseUrl, server.url)));
  const withNewPasskey = page.getByRole("button", { name: "Create account with a passkey" });
  await withNewPasskey.click();
  await expect(alert(page, "Enter your name")).toBeVisible();
  await page.getByLabel("Your name").fill("Ana");
  await page.getByLabel("Email or login").fill("ana@example.com");
  await accessible(page, "creating the first account");
  await device.setRecognised(false);
  await withNewPasskey.click();
  await expect(alert(page, "No passkey was added.")).toBeVisible();
  await device.setRecognised(true);
  await withNewPasskey.click();
  await page.getByRole("link", { name: "Go to the inbox" }).click();
  await expect(account(page)).toBeVisible();
  await visit(page, "/me");
  await expect(passkeys(page).getByRole("listitem")).toHaveCount(1);
  await signOut(page);
  await withPasskey(page).click();
  await expect(account(page)).toBeVisible();
  await close();
  await server.stop();
});

test.describe("of an account", () => {
  test.beforeEach(async ({ context, server }) => asAna(server, context.request));

  test("a passkey is added, signs in, decides and is removed", async ({ page }) => {
    const device = await Authenticator.of(page);
    await visit(page, "/me");
    await page.getByRole("button", { name: "Add passkey" }).click();
    await accessible(page, "adding a passkey", { part: "[role=dialog]" });
    await device.setRecognised(false);
    await dialog(page).getByRole("button", { name: "Continue" }).click();
    await expect(alert(page, "No passkey was added.")).toBeVisible();
    await device.setRecognised(true);
    await dialog(page).getByLabel("Name").fill("Laptop");
    await dialog(page).getByRole("button", { name: "Continue" }).click();
    await expect(passkeys(page)).toContainText("Laptop");
    await expect(passkeys(page)).toContainText("never used");
    const [passkey] = await device.passkeys();
    expect(passkey).toMatchObject({ isResidentCredential: true, rpId: "localhost", userName: "ana@example.com" });

    await signOut(page);
    // Known on this device, so it comes first.
    const buttons = page.locator("main").getByRole("button");
    await expect(buttons.first()).toHaveText("Sign in with a passkey");
    await withPasskey(page).click();
    await expect(account(page)).toBeVisible();

    const agent = await newAgent(page.request, "passkeys");
    const asked = await agent.ask({ ...LICENCE, title: "Passkeys" });
    await visit(page, `/?item=${asked.inbox_item_id}`);
    await openCards(page).getByRole("radio", { name: "MIT" }).check();
    await page.getByRole("button", { name: "Submit" }).click();
    await expect
      .poll(async () => (await agent.read(asked)).result?.decided_by)
      .toMatchObject({ name: "Ana", provenance: "passkey" });

    await visit(page, "/me");
    await expect(passkeys(page)).toContainText("last used");
    await page.getByRole("button", { name: "Remove" }).click();
    await dialog(page).getByRole("button", { name: "Remove" }).click();
    await expect(page.getByText("No passkeys yet.")).toBeVisible();
    await signOut(page);
    await withPasskey(page).click();
    await expect(alert(page, "This passkey no longer works here.")).toBeVisible();
    await expect(page).toHaveURL(/\/sign-in$/);
  });

  test("a passkey that the browser suggests signs in, and leads to where the person was going", async ({ page }) => {
    await Authenticator.of(page, { suggests: true });
    await add(page, "Phone");
    await post(page.request, "/api/auth/sign-out", {});
    await page.goto("/people");
    await expect(account(page)).toBeVisible();
    await expect(page).toHaveURL(/\/people$/);
    const { sessions } = await (await page.request.get("/api/me/auth-sessions")).json();
    expect(sessions).toContainEqual(expect.objectContaining({ method: "passkey", current: true }));
  });

  test("a passkey signs in again on the spot after the session has ended", async ({ page, browser, server }) => {
    await Authenticator.of(page);
    await add(page, "Tablet");
    const elsewhere = await otherBrowser(browser, server);
    await asAna(server, elsewhere.context.request);
    await post(elsewhere.context.request, "/api/me/auth-sessions/end", {});
    await expect(dialog(page)).toContainText("Your session has ended");
    // Not its button: someone may be typing.
    await expect(dialog(page)).toBeFocused();
    await withPasskey(page).click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(passkeys(page)).toContainText("Tablet");
    await elsewhere.close();
  });

  test("before something that lasts it asks who is there, and then does it", async ({
    page: admin,
    browser,
    server,
  }) => {
    // Someone without a passkey yet.
    const other = await otherBrowser(browser, server, [/status of (400|401|403)/]);
    await join(admin.request, other.context, { name: "Lin", login: "lin@example.com", password: PASSWORD });
    const page = await other.context.newPage();
    const create = async (name: string) => {
      await page.getByRole("button", { name: "New personal key" }).click();
      await dialog(page).getByLabel("Name").fill(name);
      await page.getByRole("button", { name: "Create key" }).click();
    };
    const asking = page.getByRole("dialog", { name: "Confirm it’s you" });
    const made = (name: string) => page.getByRole("dialog", { name: `Copy “${name}” now` });
    const device = await Authenticator.of(page);
    await visit(page, "/me");
    await waitLong(server, page.request);
    await create("first");
    await expect(asking.getByLabel("Your password", { exact: true })).toBeFocused();
    await accessible(page, "confirming who one is", { part: "[role=dialog]:has([type=password])" });
    await page.keyboard.press("Escape");
    await expect(asking).toHaveCount(0);
    await expect(alert(page, "Nothing was changed")).toBeVisible();

    await page.getByRole("button", { name: "Create key" }).click();
    await expect(asking.getByLabel("Your password", { exact: true })).toBeFocused();
    await page.keyboard.type("not the password");
    await page.keyboard.press("Enter");
    await expect(asking.getByRole("alert")).toHaveText("That is not your password.");
    await asking.getByLabel("Your password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await expect(made("first")).toBeVisible();
    await page.getByRole("button", { name: "Done" }).click();

    // With a passkey, one touch is enough.
    await add(page, "Laptop");
    await waitLong(server, page.request);
    await create("second");
    const withDevice = asking.getByRole("button", { name: "Use a passkey" });
    await expect(withDevice).toBeFocused();
    await device.setRecognised(false);
    await page.keyboard.press("Enter");
    await expect(withDevice).not.toHaveAttribute("aria-busy", "true");
    await device.setRecognised(true);
    await withDevice.click();
    await expect(made("second")).toBeVisible();
    await other.close();
  });

  test("a team requires more than a password, and who has nothing else adds a passkey on the way", async ({
    page,
    browser,
    server,
  }) => {
    const other = await otherBrowser(browser, server, [/status of 401/]);
    await asMei(page.request, other.context);
    const theirs = await other.context.newPage();
    await Authenticator.of(theirs);
    await visit(theirs, "/people");
    await Authenticator.of(page);
    await visit(page, "/people");
    const policy = (who: string) => page.getByRole("radio", { name: who });
    await policy("Everyone").click();
    await expect(page.getByRole("listitem").filter({ hasText: "so that nobody is locked out" })).toBeVisible();
    await expect(policy("Nobody")).toBeChecked();
    await add(page, "Laptop");
    await signOut(page);
    await withPasskey(page).click();
    await expect(account(page)).toBeVisible();
    await visit(page, "/people");
    await policy("Everyone").click();
    await expect(policy("Everyone")).toBeChecked();
    await accessible(page, "the settings of the team");

    // What was open is of no use any more, and goes to where she can help herself.
    await expect(theirs.getByRole("heading", { name: "A password is not enough here" })).toBeVisible();
    await accessible(theirs, "what the team requires");
    await theirs.getByRole("button", { name: "Add a passkey" }).click();
    await expect(theirs.getByRole("heading", { name: "People", level: 1 })).toBeVisible();
    await other.close();

    await policy("Nobody").click();
    await expect(policy("Nobody")).toBeChecked();
  });
});
