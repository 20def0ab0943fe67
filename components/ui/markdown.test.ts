import { readFileSync } from "node:fs";
import { NextIntlClientProvider } from "next-intl";
import { createElement, type ReactElement } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, test } from "vitest";
import english from "../../i18n/en.json" with { type: "json" };
import { expectLinear } from "../../lib/domain/test-growth.ts";
import { Markdown } from "./markdown.tsx";
import { splitMarkdown } from "./markdown-parts.ts";
import MarkdownRendered from "./markdown-rendered.tsx";
import { isLightMarkdown } from "./markdown-weight.ts";

const inPage = (children: ReactElement) => {
  const words = { locale: "en", messages: english, timeZone: "UTC", children };
  return renderToString(createElement(NextIntlClientProvider, words));
};

/** Texts of `size` characters that cost the parser, or the page, far more than their length. */
const HOSTILE: Record<string, (size: number) => string> = {
  "open marks": (size) => "*a_".repeat(size / 3),
  "runs of marks": (size) => "*".repeat(size / 2) + "a".padEnd(size / 2, "*"),
  "strong marks": (size) => "**a".repeat(size / 3),
  brackets: (size) => "[".repeat(size / 2) + "]".repeat(size / 2),
  links: (size) => "[a](".repeat(size / 4),
  footnotes: (size) => "[^a]".repeat(size / 4),
  addresses: (size) => "http://a ".repeat(size / 9),
  mail: (size) => "a.b@c.d ".repeat(size / 8),
  backticks: (size) => Array.from({ length: Math.sqrt(size * 2) }, (_, n) => "`".repeat(n + 1)).join(" a "),
  quotes: (size) => `${"> ".repeat(size / 2)}x`,
  "items on one line": (size) => `${"- ".repeat(size / 2)}x`,
  "items further and further in": (size) =>
    Array.from({ length: Math.sqrt(size) }, (_, n) => `${" ".repeat(n * 2)}- x`).join("\n"),
  paragraphs: (size) => "a\n\n".repeat(size / 3),
  items: (size) => "- a\n".repeat(size / 4),
  "a square table": (size) => table(Math.sqrt(size / 2), Math.sqrt(size / 2), "b|"),
  "a wide table of short rows": (size) => table(size / 8, size / 4, ""),
  "marks behind what only looks like code": (size) => `<!--\n\`\`\`\n-->\n${"*a_".repeat(size / 3)}`,
  "many letters": (size) => "word ".repeat(size / 5 + 1),
};

describe("markdown from an agent", () => {
  test("is plain text on the server, whose one thread serves everyone", () => {
    for (const text of ["*so* **it** is", HOSTILE["open marks"]?.(90_000) ?? ""]) {
      const html = inPage(createElement(Markdown, { text }));
      expect(html).toContain(text);
      expect(html).not.toMatch(/<(em|strong)>/);
    }
  });

  test("costs the server in proportion to its length", () =>
    expectLinear(250_000, (size) => inPage(createElement(Markdown, { text: HOSTILE["open marks"]?.(size) ?? "" }))));

  test("is rendered in the browser if that is cheap, as it is for honest texts", () => {
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    expect(isLightMarkdown(readme.slice(0, 20_000))).toBe(true);
    const code = `\`\`\`ts\n${"const a = b[c] * d[e] * f[g];\n".repeat(400)}\`\`\``;
    expect(isLightMarkdown(code)).toBe(true);
  });

  test.each(Object.entries(HOSTILE))("is shown as plain text if it would freeze the page: %s", (_name, make) => {
    expect(isLightMarkdown(make(20_000))).toBe(false);
    const light = [8_000, 4_000, 2_000, 1_000, 500, 250, 100].map((size) => make(size)).find(isLightMarkdown);
    expect(inPage(createElement(MarkdownRendered, { text: light ?? "", isStreaming: true }))).toContain("prose");
  });

  test("is rendered in parts while it is written, and parts before the last do not change", () => {
    const paragraph = `${"Some words of it. ".repeat(60)}\n\n`;
    const code = `\`\`\`\n${"a line of code\n\n".repeat(200)}\`\`\`\n\n`;
    const text = [paragraph, paragraph, paragraph, code, paragraph, "- an item\n\n".repeat(300), paragraph].join("");
    let known: string[] = [];
    for (let length = 1; length <= text.length; length += 37) {
      const parts = splitMarkdown(text.slice(0, length));
      expect(parts.join("")).toBe(text.slice(0, length));
      expect(parts.slice(0, known.length - 1)).toEqual(known.slice(0, -1));
      known = parts;
    }
    expect(known.length).toBeGreaterThan(3);
    expect(known.filter((part) => part.includes("a line of code"))).toHaveLength(1);
    expect(known.filter((part) => part.includes("an item"))).toHaveLength(1);
  });
});

function table(columns: number, rows: number, cell: string): string {
  const row = (content: string) => `|${content.repeat(columns)}\n`;
  return row("a|") + row("-|") + (cell === "" ? "b\n" : row(cell)).repeat(rows);
}
