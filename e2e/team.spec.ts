import type { Page } from "@playwright/test";
import { setupLink } from "../scripts/throwaway/setup-link.ts";
import { LICENCE, live, openCards, ready, reload, settledCards, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";
import { accessible, prefer, sidewaysBy } from "./looks.ts";
import { startServer } from "./server.ts";
import {
  ANA,
  asAna,
  asMei,
  join,
  MEI,
  newAgent,
  OWN_SERVER,
  otherBrowser,
  PASSWORD,
  pathOf,
  post,
  signIn,
} from "./team.ts";

// A refused sign-in, an ended session and a link that no longer works are what these tests are about.
test.use({ ...OWN_SERVER, expectedErrors: [/status of (401|409|410)/] });

const at = ({ inbox_item_id }: { inbox_item_id: string }) => `/?item=${inbox_item_id}`;
const row = (page: Page, { inbox_item_id }: { inbox_item_id: string }) =>
  page.locator(`[data-item="${inbox_item_id}"]`);
const holder = (page: Page) => page.getByTestId("holder");
const dialog = (page: Page) => page.getByRole("dialog");
const accountMenu = (page: Page) => page.getByRole("button", { name: "Account of Ana" });

test("the first account is created by link; its admin signs out and in again", async ({ browser }) => {
  const server = await startServer();
  const { context, close } = await otherBrowser(browser, server, [/status of (401|410)/]);
  const page = await context.newPage();
  await visit(page, "/");
  await expect(page.getByRole("link", { name: "People" })).toHaveCount(0);
  await page.getByRole("button", { name: "Set up a team" }).click();
  await expect(dialog(page)).toContainText("parley team");
  await page.keyboard.press("Escape");

  const link = pathOf(await setupLink(server.databaseUrl, server.url));
  await visit(page, link);
  await expect(page.getByRole("heading", { name: "Create the first account" })).toBeVisible();
  expect(page.url(), "the secret has left the address bar").not.toContain("#");
  await page.getByLabel("Your name").fill("Ana");
  await page.getByLabel("Email or login").fill(ANA.login);
  await page.getByLabel("Password", { exact: true }).fill("too short");
  await page.getByRole("button", { name: "Create account", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: "At least 12 characters" })).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await expect(page.getByText("Strong password.")).toBeVisible();
  await page.getByRole("button", { name: "Create account", exact: true }).click();
  await page.getByRole("link", { name: "Go to the inbox" }).click();
  await expect(accountMenu(page)).toBeVisible();
  await expect(page.getByRole("link", { name: "People" })).toBeVisible();

  await accountMenu(page).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  await visit(page, link);
  await expect(page.getByText("This link no longer works.")).toBeVisible();

  await signIn(page, { ...ANA, password: "not the password" }, "/people");
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fpeople$/);
  await expect(page.getByRole("alert").filter({ hasText: "do not match any account" })).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(/\/people$/);
  await expect(page.getByRole("heading", { name: "People", level: 1 })).toBeVisible();

  await visit(page, "/sign-in?next=//elsewhere.example");
  await signIn(page, ANA, "/sign-in?next=//elsewhere.example");
  await expect(page).toHaveURL(`${server.url}/`);
  await close();
  await server.stop();
});

test.describe("a team", () => {
  test.beforeEach(async ({ context, server }) => asAna(server, context.request));

  test("someone is invited by link and joins in their own browser", async ({ page, browser, server }) => {
    const login = `kenji-${Date.now()}@example.com`;
    await visit(page, "/people");
    await page.getByRole("button", { name: "Invite person" }).click();
    await page.getByLabel("Email or login (optional)").fill(login);
    await page.getByRole("button", { name: "Create link" }).click();
    const link = await page.getByLabel("Link", { exact: true }).inputValue();
    await page.getByRole("button", { name: "Done" }).click();
    await expect(page.getByRole("list", { name: "Invitations" })).toContainText(login);

    const other = await otherBrowser(browser, server);
    const theirs = await other.context.newPage();
    await visit(theirs, pathOf(link));
    await expect(theirs.getByText("Ana invited you as a member.")).toBeVisible();
    await theirs.getByLabel("Your name").fill("Kenji");
    await theirs.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await theirs.getByRole("button", { name: "Create account" }).click();
    await expect(theirs.getByRole("button", { name: "Account of Kenji" })).toBeVisible();
    await visit(theirs, "/people");
    await expect(theirs.getByRole("list", { name: "People" })).toContainText("Ana");
    await expect(theirs.getByRole("button", { name: "Invite person" })).toHaveCount(0);

    await reload(page);
    const people = page.getByRole("list", { name: "People" });
    await expect(people.getByRole("listitem").filter({ hasText: login })).toContainText("Member");
    await page.getByRole("button", { name: "Actions for Kenji" }).first().click();
    await page.getByRole("menuitem", { name: "Disable…" }).click();
    await dialog(page).getByRole("button", { name: "Disable" }).click();
    await expect(people.getByRole("listitem").filter({ hasText: login })).toContainText("Disabled");
    await expect(dialog(theirs)).toContainText("Your session has ended");
    await other.close();
  });

  test("a claim in one browser is seen in the other, and an answer anyway takes over", async ({
    page,
    browser,
    server,
  }) => {
    const agent = await newAgent(page.request, "claims");
    const asked = await agent.ask({ ...LICENCE, title: "Claims" });
    const other = await otherBrowser(browser, server);
    await asMei(page.request, other.context);
    const theirs = await other.context.newPage();
    // Other tests leave thousands of questions, before which this one may not be on the first page.
    await visit(page, `/?agent=claims&item=${asked.inbox_item_id}`);
    await visit(theirs, at(asked));
    await live(page);
    await live(theirs);
    await expect(holder(page)).toContainText("Nobody is on it");
    await ready(theirs);
    await theirs.keyboard.press("c");
    await expect(holder(theirs)).toContainText("You are on it");
    await expect(holder(page)).toContainText("Mei is on it");
    await expect(row(page, asked)).toContainText("Mei is on it");

    // Released and claimed again, with the buttons.
    await holder(theirs).getByRole("button", { name: "Release" }).click();
    await expect(holder(page)).toContainText("Nobody is on it");
    await holder(theirs).getByRole("button", { name: "Claim" }).click();
    await expect(holder(page)).toContainText("Mei is on it");

    await openCards(page).getByRole("radio", { name: "MIT" }).check();
    await page.getByRole("button", { name: "Answer anyway" }).click();
    // Mei was in her form: it stays, and says who was first.
    await expect(openCards(theirs)).toContainText("Ana answered first.");
    await expect(settledCards(page)).toContainText("MIT");
    await expect.poll(async () => (await agent.read(asked)).result?.decided_by.name).toBe("Ana");
    await other.close();
  });

  test("a claim that comes while an answer is under way is not overrun", async ({ page, browser, server }) => {
    const agent = await newAgent(page.request, "race");
    const asked = await agent.ask({ ...LICENCE, title: "Race" });
    const other = await otherBrowser(browser, server);
    await asMei(page.request, other.context);
    await visit(page, at(asked));
    await live(page);
    await openCards(page).getByRole("radio", { name: "MIT" }).check();
    // Mei claims it after Ana has answered, and before her answer arrives.
    const claim = () => post(other.context.request, "/api/inbox/claim", { inbox_item_ids: [asked.inbox_item_id] });
    await page.route("**/api/task/answer*", async (route) => claim().then(() => route.continue()), { times: 1 });
    await page.getByRole("button", { name: "Submit" }).click();
    const toast = page.getByRole("listitem").filter({ hasText: "Mei has claimed “Which licence?”" });
    await expect(toast).toBeVisible();
    expect((await agent.read(asked)).status).toBe("pending");
    await toast.getByRole("button", { name: "Answer anyway" }).click();
    await expect.poll(async () => (await agent.read(asked)).status).toBe("answered");
    await other.close();
  });

  test("questions are assigned with the keyboard, one or several, and found under Mine", async ({
    page,
    browser,
    server,
  }) => {
    const agent = await newAgent(page.request, "assigns");
    const asked = [];
    for (const title of ["First", "Second"])
      asked.push(await agent.ask({ ...LICENCE, question_text: `${title}?`, title }));
    const [first, second] = asked;
    if (!first || !second) throw new Error("nothing was asked");
    const other = await otherBrowser(browser, server);
    await asMei(page.request, other.context);
    const theirs = await other.context.newPage();
    await visit(theirs, "/?assignee=me&agent=assigns");
    await live(theirs);
    await expect(theirs.getByText("No open questions match")).toBeVisible();

    await visit(page, "/?agent=assigns");
    await live(page);
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await expect(page.getByRole("region", { name: "Selected questions" })).toContainText("2 selected");
    await page.keyboard.press("a");
    await page.getByPlaceholder("Find a person…").fill("mei");
    await expect(dialog(page).getByRole("option")).toHaveCount(1);
    await page.keyboard.press("Enter");
    await expect(row(page, first).getByTestId("held-by")).toContainText("Assigned to Mei");
    await expect(row(page, second).getByTestId("held-by")).toContainText("Assigned to Mei");
    await expect(row(theirs, first)).toBeVisible();
    await expect(row(theirs, second)).toBeVisible();

    // A letter after `g` names a place: it claims nothing.
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await expect(page).toHaveURL(/\/connect$/);
    await other.close();
  });

  test("a space that requires a second person says why its owner cannot answer", async ({ page, browser, server }) => {
    await visit(page, "/spaces");
    const name = `Payments ${Date.now()}`;
    await page.getByRole("button", { name: "New space" }).click();
    await page.getByLabel("Name").fill(name);
    await page.getByRole("switch", { name: /Require a second person/ }).click();
    await page.getByRole("button", { name: "Create space" }).click();
    await expect(page.getByRole("list", { name: "Spaces" })).toContainText(name);
    const { spaces } = await (await page.request.get("/api/spaces")).json();
    const space = spaces.find((each: { name: string }) => each.name === name);
    const agent = await newAgent(page.request, "payments", space.id);
    const asked = await agent.ask({ ...LICENCE, title: "Refunds" });
    await visit(page, at(asked));
    await expect(openCards(page)).toContainText("Someone else must answer this.");
    await expect(openCards(page).getByRole("radio", { name: "MIT" })).toBeDisabled();
    await expect(page.getByRole("button", { name: "Submit" })).toHaveCount(0);

    const other = await otherBrowser(browser, server);
    await asMei(page.request, other.context);
    const theirs = await other.context.newPage();
    await visit(theirs, at(asked));
    await openCards(theirs).getByRole("radio", { name: "MIT" }).check();
    await theirs.getByRole("button", { name: "Submit" }).click();
    await expect.poll(async () => (await agent.read(asked)).status).toBe("answered");
    await other.close();
  });

  test("a viewer reads, and sees why they cannot answer", async ({ page, browser, server }) => {
    const agent = await newAgent(page.request, "viewed");
    const asked = await agent.ask({ ...LICENCE, title: "Viewed" });
    const other = await otherBrowser(browser, server);
    await join(page.request, other.context, { ...MEI, name: "Vic", login: `vic-${Date.now()}` }, "viewer");
    const theirs = await other.context.newPage();
    await visit(theirs, at(asked));
    await expect(openCards(theirs)).toContainText("You can read this question, but not answer it.");
    await expect(theirs.getByRole("button", { name: "Submit" })).toHaveCount(0);
    await other.close();
  });

  test("an ended session keeps the draft, asks for a sign-in on the spot, and sends nothing by itself", async ({
    page,
    browser,
    server,
  }) => {
    const agent = await newAgent(page.request, "ended");
    const asked = await agent.ask({ ...LICENCE, title: "Ended" });
    await visit(page, at(asked));
    await live(page);
    await openCards(page).getByRole("radio", { name: "Other…" }).check();
    const text = openCards(page).getByRole("textbox", { name: "Your own answer" });
    await text.fill("BSD, if the lawyers agree");

    // Somewhere else Ana ends all her other sessions.
    const elsewhere = await otherBrowser(browser, server);
    await asAna(server, elsewhere.context.request);
    await post(elsewhere.context.request, "/api/me/auth-sessions/end", {});
    await expect(dialog(page)).toContainText("Your session has ended");
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toBeVisible();
    await expect(dialog(page).getByLabel("Email or login")).toHaveValue(ANA.login);
    await dialog(page).getByLabel("Password", { exact: true }).fill(PASSWORD);
    await dialog(page).getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(dialog(page)).toHaveCount(0);
    await live(page);
    await expect(text).toHaveValue("BSD, if the lawyers agree");
    expect((await agent.read(asked)).status).toBe("pending");
    await page.getByRole("button", { name: "Submit" }).click();
    await expect.poll(async () => (await agent.read(asked)).result?.content).toContain("BSD, if the lawyers agree");
    await elsewhere.close();
  });

  test("a session that ends while someone types waits for them, and nothing they type becomes a password", async ({
    page,
    browser,
    server,
  }) => {
    const agent = await newAgent(page.request, "typing");
    const asked = await agent.ask({ ...LICENCE, title: "Typing" });
    await visit(page, at(asked));
    await live(page);
    const attempts: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/api/auth/sign-in")) attempts.push(request.url());
    });
    await openCards(page).getByRole("radio", { name: "Other…" }).check();
    const text = openCards(page).getByRole("textbox", { name: "Your own answer" });
    await text.focus();
    await page.clock.pauseAt(Date.now() + 60_000);
    const elsewhere = await otherBrowser(browser, server);
    await asAna(server, elsewhere.context.request);
    await post(elsewhere.context.request, "/api/me/auth-sessions/end", {});

    // As long as keys come, the sentence goes where it began.
    for (const letter of "BSD, if the lawyers agree") {
      await page.keyboard.press(letter === " " ? "Space" : letter);
      await page.clock.runFor(300);
    }
    await expect(text).toHaveValue("BSD, if the lawyers agree");
    await expect(dialog(page)).toHaveCount(0);
    await page.clock.resume();
    await expect(dialog(page)).toContainText("Your session has ended");

    // Whoever goes on then types nowhere, and tries no password.
    await page.keyboard.type("Or MIT");
    await page.keyboard.press("Enter");
    await expect(dialog(page).getByLabel("Password", { exact: true })).toHaveValue("");
    await expect(dialog(page).getByLabel("Email or login")).toHaveValue(ANA.login);
    await dialog(page).getByLabel("Password", { exact: true }).fill(PASSWORD);
    expect(attempts).toEqual([]);
    await page.keyboard.press("Enter");
    await expect(dialog(page)).toHaveCount(0);
    await expect(text).toBeFocused();
    await expect(text).toHaveValue("BSD, if the lawyers agree");
    await elsewhere.close();
  });

  test("after a dialog with a text field was closed with Enter, the next key is a shortcut again", async ({ page }) => {
    const name = `closed-${Date.now()}`;
    const agent = await newAgent(page.request, name);
    await agent.ask(LICENCE);
    const field = (label: string) => dialog(page).getByLabel(label, { exact: true });
    const DIALOGS: Record<string, () => Promise<unknown>> = {
      "save a view": async () => {
        await visit(page, `/?agent=${name}`);
        await page.getByRole("button", { name: "Saved views and export" }).click();
        await page.getByRole("menuitem", { name: "Save this view…" }).click();
        await field("View name").fill("Mine");
      },
      "find a person": async () => {
        await visit(page, `/?agent=${name}`);
        await expect(openCards(page)).toHaveCount(1);
        await page.keyboard.press("a");
        await page.getByPlaceholder("Find a person…").fill("nobody");
      },
      "make a space": async () => {
        await visit(page, "/spaces");
        await page.getByRole("button", { name: "New space" }).first().click();
        await field("Name").fill(name);
      },
      "the palette": async () => {
        await visit(page, "/people");
        await page.keyboard.press("Control+k");
        await page.getByRole("combobox").fill("go to keys");
      },
      "change the password": async () => {
        await visit(page, "/me");
        await page.getByRole("button", { name: "Change password" }).click();
        await field("Current password").fill(PASSWORD);
        await field("New password").fill(PASSWORD);
      },
    };
    for (const [what, open] of Object.entries(DIALOGS))
      await test.step(what, async () => {
        await open();
        await page.keyboard.press("End");
        await page.keyboard.press("Enter");
        await expect(dialog(page)).toHaveCount(0);
        await page.keyboard.press("?");
        await expect(dialog(page)).toContainText("Shortcuts");
        await expect(page.getByTestId("key-guard")).toBeEmpty();
        await page.keyboard.press("Escape");
      });
  });

  test("a key is created, shown once, used over REST, replaced and revoked", async ({ page, request }) => {
    const agent = `builder-${Date.now()}`;
    const ask = (key: string) =>
      request.post("/api/asks", { data: LICENCE, headers: { authorization: `Bearer ${key}` } });
    await visit(page, "/keys");
    await page.getByRole("button", { name: "New agent key" }).click();
    await page.getByLabel("Agent", { exact: true }).fill(agent);
    await page.getByRole("button", { name: "Create key" }).click();
    const shown = page.getByLabel("API key", { exact: true });
    const secret = await shown.inputValue();
    expect(secret).toMatch(/^parley_agent_/);
    await page.getByRole("button", { name: "Done" }).click();
    await expect(page.getByText(secret)).toHaveCount(0);
    expect((await ask(secret)).status()).toBe(201);

    const actions = page.getByRole("button", { name: `Actions for ${agent}` });
    await actions.click();
    await page.getByRole("menuitem", { name: "Replace…" }).click();
    await dialog(page).getByRole("button", { name: "Replace" }).click();
    await expect(shown).not.toHaveValue(secret);
    const replaced = await shown.inputValue();
    await page.getByRole("button", { name: "Done" }).click();
    expect((await ask(secret)).status()).toBe(401);
    expect((await ask(replaced)).status()).toBe(201);

    await actions.click();
    await page.getByRole("menuitem", { name: "Revoke…" }).click();
    await dialog(page).getByRole("button", { name: "Revoke" }).click();
    await expect(actions).toHaveCount(0);
    expect((await ask(replaced)).status()).toBe(401);
  });

  test("connecting an agent begins with a key, which is in no file that may be committed", async ({ page }) => {
    await visit(page, "/connect");
    const name = `key-${Date.now()}`;
    await page.getByLabel("Agent", { exact: true }).fill(name);
    await page.getByRole("button", { name: "Create key" }).click();
    const secret = await page.getByLabel("API key", { exact: true }).inputValue();
    await expect(page.locator("pre")).toContainText(`PARLEY_KEY=${secret}`);
    await page.getByRole("tab", { name: "Cursor" }).click();
    await expect(page.locator("pre").first()).toContainText(`export PARLEY_KEY=${secret}`);
    await expect(page.locator("pre").nth(1)).toContainText("PARLEY_KEY");
    await expect(page.locator("pre").nth(1)).not.toContainText(secret);
  });

  test("a terminal is let in by its code", async ({ page, request }) => {
    const started = await post(request, "/api/auth/device", { purpose: "agent", machine: "build-01", agent: "codex" });
    await visit(page, "/device");
    await page.getByLabel("Code").fill("zzzz9999");
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "This code is wrong" })).toBeVisible();
    await page.getByLabel("Code").fill(started.user_code.toLowerCase().replace("-", ""));
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByText("build-01")).toBeVisible();
    await page.getByRole("button", { name: "Allow" }).click();
    await expect(page.getByRole("heading", { name: "Connected" })).toBeVisible();
    const result = await post(request, "/api/auth/device/token", { device_code: started.device_code });
    expect(result).toMatchObject({ status: "allowed", kind: "agent" });
  });

  test("the account: name, absence, sessions", async ({ page, browser, server }) => {
    const elsewhere = await otherBrowser(browser, server);
    await asAna(server, elsewhere.context.request);
    await visit(page, "/me");
    const sessions = page.getByRole("list", { name: "Sessions" });
    await expect(sessions).toContainText("This device");
    await page.getByRole("button", { name: "End all others" }).click();
    await dialog(page).getByRole("button", { name: "End all others" }).click();
    await expect(sessions.getByRole("listitem")).toHaveCount(1);

    await page.getByRole("button", { name: "Set out of office…" }).click();
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await expect(page.getByText(/^Away until/)).toBeVisible();
    await page.getByRole("button", { name: "I’m back" }).click();
    await expect(page.getByText("You’re available")).toBeVisible();

    await page.getByLabel("Name", { exact: true }).fill("");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("Enter your name.")).toBeVisible();
    await elsewhere.close();
  });

  for (const [language, width] of [
    ["en", 1280],
    ["zh", 390],
  ] as const) {
    test(`every screen is accessible in ${language} at ${width} px`, async ({ page, browser, server }) => {
      await page.setViewportSize({ width, height: 844 });
      await prefer(page, server.url, language);
      const agent = await newAgent(page.request, "looks");
      const asked = await agent.ask({ ...LICENCE, title: "Looks" });
      await post(page.request, "/api/inbox/claim", { inbox_item_ids: [asked.inbox_item_id] });
      const { url } = await post(page.request, "/api/invitations", { role: "viewer" });
      const check = async (at: Page, path: string) => {
        await visit(at, path);
        await expect(at.locator("main :is(h1, article)").filter({ visible: true }).first()).toBeVisible();
        await expect(at.getByRole("status").filter({ hasText: /Loading|正在加载/ })).toHaveCount(0);
        if (/^\/(people|spaces|keys)$/.test(path)) await expect(at.locator("main li").first()).toBeVisible();
        await accessible(at, path, { colours: language === "en" });
        expect(await sidewaysBy(at), path).toBeLessThanOrEqual(0);
      };
      for (const path of ["/", at(asked), "/?assignee=me", "/me", "/people", "/spaces", "/keys", "/device", "/connect"])
        await check(page, path);
      const other = await otherBrowser(browser, server, [/status of 410/]);
      const theirs = await other.context.newPage();
      await theirs.setViewportSize({ width, height: 844 });
      await prefer(theirs, server.url, language);
      for (const path of ["/sign-in", "/setup", pathOf(url), "/reset"]) await check(theirs, path);
      await other.close();
    });
  }

  test("dialogs of a team are accessible", async ({ page }) => {
    const open = async (path: string, button: string) => {
      await visit(page, path);
      await page.getByRole("button", { name: button }).first().click();
      await expect(dialog(page)).toBeVisible();
      await accessible(page, button);
      await page.keyboard.press("Escape");
      await expect(dialog(page)).toHaveCount(0);
    };
    await open("/people", "Invite person");
    await open("/spaces", "New space");
    await open("/keys", "New agent key");
    await open("/keys", "New personal key");
    await open("/me", "Set out of office…");
    await open("/me", "Change password");
    await accountMenu(page).click();
    await expect(page.getByRole("menu")).toBeVisible();
    await accessible(page, "the menu of the account", { part: "[role=menu]" });
  });
});
