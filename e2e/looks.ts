import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

// How a page looks, and whether everyone can use it.

/** The language and the theme of this browser. */
export async function prefer(page: Page, url: string, language: string, theme = "light"): Promise<void> {
  await page.context().addCookies([
    { name: "parley-language", value: language, url },
    { name: "parley-theme", value: theme, url },
  ]);
}

/** Themes and languages differ in nothing but colours and texts: what other rules find in one, they find in the other. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/**
 * In both themes. Where the system chooses the colours, there are none to compare. `colours: false` leaves them out, for a page
 * that is checked with its colours in another language.
 */
export async function accessible(page: Page, where: string, { part = "html", colours = true } = {}): Promise<void> {
  const finds = async (look: string, choose: (axe: AxeBuilder) => AxeBuilder) => {
    // Only violations are described: describing everything that is right takes longer than the check.
    const axe = new AxeBuilder({ page }).include(part).options({ resultTypes: ["violations"] });
    const { violations } = await choose(axe).analyze();
    const problems = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]);
    expect(problems, `${where}, ${look}`).toEqual([]);
  };
  await expect(page.locator(part).first()).toBeVisible();
  const wear = (theme: "light" | "dark") =>
    page.locator("html").evaluate((root, theme) => root.setAttribute("data-theme", theme), theme);
  // Without transitions: halfway between two themes, colours have too little contrast.
  await page.emulateMedia({ reducedMotion: "reduce" });
  if (colours) {
    await wear("dark");
    await finds("dark", (axe) => axe.withRules(COLOUR_RULES));
  }
  await wear("light");
  await finds("light", (axe) => (colours ? axe : axe.disableRules(COLOUR_RULES)));
}

/** By how much the page is wider than the window. */
export const sidewaysBy = (page: Page) =>
  page.evaluate(
    () =>
      Math.max(document.documentElement.scrollWidth, document.querySelector("main")?.scrollWidth ?? 0) -
      window.innerWidth,
  );

/** By how much the page is longer than the window. Its parts scroll, never the page: texts for screen readers must not stretch it. */
export const stretchedBy = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
