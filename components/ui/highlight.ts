import { createHighlighterCore, type HighlighterCore, type LanguageInput } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";

export type Line = Array<{ text: string; light: string; dark: string }>;

/** Loads each language when it first occurs. */
const LANGUAGES: Record<string, LanguageInput> = {
  bash: () => import("shiki/langs/bash.mjs"),
  css: () => import("shiki/langs/css.mjs"),
  diff: () => import("shiki/langs/diff.mjs"),
  go: () => import("shiki/langs/go.mjs"),
  html: () => import("shiki/langs/html.mjs"),
  java: () => import("shiki/langs/java.mjs"),
  json: () => import("shiki/langs/json.mjs"),
  markdown: () => import("shiki/langs/markdown.mjs"),
  python: () => import("shiki/langs/python.mjs"),
  rust: () => import("shiki/langs/rust.mjs"),
  sql: () => import("shiki/langs/sql.mjs"),
  typescript: () => import("shiki/langs/typescript.mjs"),
  yaml: () => import("shiki/langs/yaml.mjs"),
};
const ALIASES: Record<string, string> = {
  js: "typescript",
  javascript: "typescript",
  jsx: "typescript",
  ts: "typescript",
  tsx: "typescript",
  py: "python",
  rs: "rust",
  sh: "bash",
  shell: "bash",
  zsh: "bash",
  yml: "yaml",
  md: "markdown",
};
const LONGEST = 50_000;

let highlighter: Promise<HighlighterCore> | undefined;

/** Highlights code for both themes. Undefined if the language is unknown or the code is too long. */
export async function highlight(text: string, name: string): Promise<Line[] | undefined> {
  const language = ALIASES[name.toLowerCase()] ?? name.toLowerCase();
  const grammar = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined;
  if (!grammar || text.length > LONGEST) return undefined;
  highlighter ??= createHighlighterCore({
    themes: [
      import("shiki/themes/github-light-high-contrast.mjs"),
      import("shiki/themes/github-dark-high-contrast.mjs"),
    ],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const shiki = await highlighter;
  await shiki.loadLanguage(grammar);
  const { tokens } = shiki.codeToTokens(text, {
    lang: language,
    themes: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    defaultColor: false,
  });
  return tokens.map((line) =>
    line.map(({ content, htmlStyle }) => ({
      text: content,
      light: htmlStyle?.["--shiki-light"] ?? "inherit",
      dark: htmlStyle?.["--shiki-dark"] ?? "inherit",
    })),
  );
}
