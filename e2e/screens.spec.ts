import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { answer, ask, LICENCE, openCards, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";
import { accessible, prefer, sidewaysBy, stretchedBy } from "./looks.ts";

const LANGUAGES = ["en", "zh", "ja"] as const;
/** Two languages on a phone: the third looks the same. */
const tagOf = (language: string) => (language === "ja" ? ["@desktop"] : []);
/** What assistive technology reads is checked in one language at each size: the markup is the same in all of them. */
const readAloud = () => (test.info().project.name === "phone" ? "zh" : "en");

/** Cards whose content is wider than they are: wide code scrolls in its own box. */
const tooWide = (page: Page) =>
  page
    .locator("article")
    .evaluateAll((cards) =>
      cards.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent),
    );

const WIDE = {
  questions: [
    {
      question: "Which query?",
      header: "Query",
      multiSelect: false,
      options: [
        { label: "Wide", description: "", preview: `\`\`\`sql\nselect ${"a_long_name, ".repeat(20)} 1\n\`\`\`` },
        { label: "Narrow", description: "", preview: "one" },
      ],
    },
  ],
};

/** Every screen, with content. */
async function screens(page: Page, request: Parameters<typeof ask>[0]): Promise<string[]> {
  const open = await ask(request, { ...LICENCE, title: "A screen" });
  const settled = await ask(request, { ...LICENCE, session_id: open.session_id, question_text: "Settled?" });
  await answer(request, settled, "mit");
  await ask(request, { ...WIDE, session_id: open.session_id });
  const { items } = await (await request.get("/api/inbox", { params: { limit: 1 } })).json();
  await visit(page, "/");
  return [
    "/",
    `/?item=${items[0].inbox_item_id}`,
    "/?view=settled",
    "/conversations",
    `/conversations/${open.session_id}`,
    "/insights",
    "/connect",
  ];
}

for (const language of LANGUAGES) {
  test(`every screen works in ${language}, and scrolls in one direction only`, {
    tag: tagOf(language),
  }, async ({ page, request, server }) => {
    await prefer(page, server.url, language);
    for (const path of await screens(page, request)) {
      await visit(page, path);
      await expect(page.locator("main :is(h1, article)").filter({ visible: true }).first()).toBeVisible();
      if (language === readAloud()) await accessible(page, path, { colours: language === "en" });
      expect(await sidewaysBy(page), path).toBeLessThanOrEqual(0);
      expect(await stretchedBy(page), path).toBeLessThanOrEqual(0);
    }
  });
}

test("dialogs, menus and the selection are accessible", { tag: "@desktop" }, async ({ page, request }) => {
  const agent = "dialogs";
  for (const title of ["One", "Two"]) await ask(request, { ...LICENCE, agent, title, timeout_s: 3_600 });
  await visit(page, `/?agent=${agent}`);
  await expect(openCards(page)).toBeVisible();
  const dialog = page.getByRole("dialog");
  const keys: Array<[string, string[]]> = [
    ["the command palette", ["Control+k"]],
    ["the shortcuts", ["?"]],
    ["an answer for several", ["b"]],
  ];
  for (const [name, presses] of keys) {
    for (const key of presses) await page.keyboard.press(key);
    await expect(dialog).toBeVisible();
    await accessible(page, name);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  }
  await page.getByRole("button", { name: "Settings" }).click();
  await accessible(page, "the settings");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await page.keyboard.press("x");
  const bar = page.getByRole("region", { name: "Selected questions" });
  await expect(bar).toBeVisible();
  await accessible(page, "a selection");
  await bar.getByRole("button", { name: "Cancel questions…" }).click();
  await expect(dialog).toBeVisible();
  await accessible(page, "the cancellation of several");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await expect(page.getByRole("menu")).toBeVisible();
  // While a menu is open, it keeps the focus and hides the page behind it from assistive technology.
  await accessible(page, "a menu", { part: "[role=menu]" });
});

test.describe("the gallery", () => {
  // Its questions are not in the database, so a card that checks its delivery gets a 404.
  test.use({ expectedErrors: [/404/] });
  for (const language of LANGUAGES) {
    test(`every state of a card works in ${language}`, { tag: tagOf(language) }, async ({ page, server }) => {
      await prefer(page, server.url, language);
      await visit(page, "/gallery");
      await expect(page.locator("[data-token]").filter({ visible: true }).first()).toBeVisible();
      if (language === readAloud()) await accessible(page, "the gallery", { colours: language === "en" });
      expect(await sidewaysBy(page)).toBeLessThanOrEqual(0);
      expect(await stretchedBy(page)).toBeLessThanOrEqual(0);
      // Parley's own texts are in one language; text from agents may be in any.
      const buttons = await page.locator("main article button[type=submit]").allInnerTexts();
      const latin = buttons.filter((text) => /[A-Za-z]{4}/.test(text.replace(/Ctrl/, "")));
      if (language !== "en") expect(latin).toEqual([]);
    });
  }

  test("pages of 320 px, and at twice the size, do not scroll sideways", async ({ page, request }) => {
    const paths = await screens(page, request);
    for (const viewport of [
      { width: 320, height: 640 },
      { width: 640, height: 400 },
    ]) {
      await page.setViewportSize(viewport);
      for (const path of [...paths, "/gallery"]) {
        await visit(page, path);
        expect(await sidewaysBy(page), `${path} at ${viewport.width}`).toBeLessThanOrEqual(0);
        if (path.startsWith("/conversations/")) {
          await expect(page.locator("article figure pre").filter({ visible: true }).first()).toBeVisible();
        }
        expect(await tooWide(page), `${path} at ${viewport.width}`).toEqual([]);
      }
    }
  });

  test("hidden characters, look-alikes and changes of direction are made visible", { tag: "@desktop" }, async ({
    page,
  }) => {
    await visit(page, "/gallery");
    const card = page.locator("[data-state=hidden] h2[id^=card-]");
    await expect(card.locator(".hidden-character")).toHaveCount(3);
    await expect(card).toContainText("U+200B");
    await expect(card).toContainText("U+202E");
  });

  test("forced colours keep the borders, and reduced motion moves nothing", { tag: "@desktop" }, async ({ page }) => {
    await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
    await visit(page, "/gallery");
    const border = await page
      .locator("[data-state=one] article")
      .evaluate((card) => getComputedStyle(card).borderLeftWidth);
    expect(border).toBe("2px");
    const moving = await page.evaluate(
      () => document.getAnimations().filter((each) => each.playState === "running").length,
    );
    expect(moving).toBe(0);
  });
});

test("Chinese and Japanese are drawn with real characters", { tag: "@desktop" }, async ({ page, server }) => {
  await prefer(page, server.url, "zh", "light");
  await visit(page, "/connect");
  // A font without these characters draws the same box for all of them.
  const pictures = await page.evaluate(() =>
    ["问", "答", "質", "あ"].map((letter) => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 40, height: 40 });
      const pen = canvas.getContext("2d");
      if (pen) pen.font = `32px ${getComputedStyle(document.body).fontFamily}`;
      pen?.fillText(letter, 2, 34);
      return canvas.toDataURL();
    }),
  );
  expect(new Set(pictures).size).toBe(4);
  await expect(page.getByRole("navigation")).toContainText("收件箱");
});

test("empty, missing and refused states have pages of their own", { tag: "@desktop" }, async ({ page, server }) => {
  await visit(page, "/?q=nothing-holds-this-text");
  await expect(page.getByText("No open questions match")).toBeVisible();
  const response = await page.request.get(`${server.url}/conversations/conv_nothing`);
  expect(response.status()).toBe(404);
  expect(await response.text()).toContain("Page not found");
});

test("the policy allows no inline script, and the documentation of the API works under it", {
  tag: "@desktop",
}, async ({ page }) => {
  const response = await page.goto("/");
  expect(response?.headers()["content-security-policy"]).toMatch(/script-src 'self' 'nonce-[^']+';/);
  expect(response?.headers()["content-security-policy"]).toMatch(/style-src 'self' 'nonce-[^']+';/);
  await page.goto("/api/docs");
  await expect(page.getByText("Answer a question", { exact: true })).toBeVisible();
});

/** Gzipped kilobytes of script and style that a page loads first. */
async function firstLoad(page: Page, path: string): Promise<{ scripts: number; styles: number }> {
  const html = await (await page.request.get(path)).text();
  const sizes = async (pattern: RegExp) => {
    const addresses = [...new Set([...html.matchAll(pattern)].map((match) => match[1] ?? ""))];
    const files = await Promise.all(addresses.map(async (address) => (await page.request.get(address)).body()));
    return files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0) / 1_000;
  };
  return {
    scripts: await sizes(/<script[^>]+src="(\/_next\/[^"]+\.js[^"]*)"(?![^>]*nomodule)/gi),
    styles: await sizes(/<link[^>]+href="(\/_next\/[^"]+\.css[^"]*)"/g),
  };
}

test("pages stay within their budgets of script and style", { tag: "@desktop" }, async ({ page, request }) => {
  const asked = await ask(request, LICENCE);
  const budgets: Array<[string, number]> = [
    ["/connect", 200],
    ["/sign-in", 200],
    ["/setup", 200],
    ["/device", 200],
    ["/me", 200],
    ["/people", 200],
    ["/spaces", 200],
    ["/keys", 200],
    ["/notifications", 200],
    ["/", 270],
    [`/conversations/${asked.session_id}`, 320],
    ["/insights", 340],
  ];
  for (const [path, budget] of budgets) {
    const { scripts, styles } = await firstLoad(page, path);
    test.info().annotations.push({
      type: "first load",
      description: `${path}: ${scripts.toFixed(1)} kB of ${budget}, css ${styles.toFixed(1)} kB`,
    });
    expect(scripts, path).toBeGreaterThan(50);
    expect(scripts, path).toBeLessThan(budget);
    expect(styles, path).toBeLessThan(20);
  }
  await visit(page, `/conversations/${asked.session_id}`);
  await expect(openCards(page)).toBeVisible();
});
