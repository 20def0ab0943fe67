import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

// How a page looks, and whether everyone can use it.

const THEMES = ["light", "dark"] as const;

/** The language and the theme of this browser. */
export async function prefer(page: Page, url: string, language: string, theme = "light"): Promise<void> {
  await page.context().addCookies([
    { name: "parley-language", value: language, url },
    { name: "parley-theme", value: theme, url },
  ]);
}

/** In both themes, and where the system chooses the colours. */
export async function accessible(page: Page, where: string, part = "html"): Promise<void> {
  const found = async (look: string, ...without: string[]) => {
    const { violations } = await new AxeBuilder({ page }).include(part).disableRules(without).analyze();
    const problems = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]);
    expect(problems, `${where}, ${look}`).toEqual([]);
  };
  // Without transitions: halfway between two themes, colours have too little contrast.
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const theme of THEMES) {
    await page.locator("html").evaluate((root, theme) => root.setAttribute("data-theme", theme), theme);
    await found(theme);
  }
  await page.emulateMedia({ forcedColors: "active" });
  // The colours are those of the system; axe would compare them with the ones they replace.
  await found("forced colours", "color-contrast");
  await page.emulateMedia({ forcedColors: "none" });
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
