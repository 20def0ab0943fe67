// Takes the pictures in docs/ from a real server with a few questions in it: `npm run screenshots`. The README shows two of
// them; docs/screens has every screen and the gallery, on a desktop and on a phone, in both themes.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { createClient } from "../../lib/client.ts";
import playwright from "../../playwright.config.ts";
import { setup } from "../setup/setup.mjs";
import { startServer } from "../throwaway/server.ts";

const TITLE = "Move the ledger to a store that survives a crash.";

/** The thread of an agent before it asks, as Claude Code writes it. */
const THREAD = [
  { type: "user", message: { role: "user", content: TITLE } },
  {
    type: "assistant",
    message: { role: "assistant", content: [{ type: "text", text: "I'll look at how the ledger is stored today." }] },
  },
  {
    type: "assistant",
    message: {
      role: "assistant",
      content: [{ type: "tool_use", id: "read-1", name: "Read", input: { file_path: "src/ledger/store.ts" } }],
    },
  },
  {
    type: "user",
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "read-1", content: "export class JsonFileStore {\n  …\n}" }],
    },
  },
  {
    type: "assistant",
    message: {
      role: "assistant",
      content: [{ type: "text", text: "It is one JSON file, rewritten as a whole. A crash in between loses it." }],
    },
  },
].map((line, index) => ({
  ...line,
  uuid: `line-${index}`,
  parentUuid: index === 0 ? null : `line-${index - 1}`,
  sessionId: "ledger",
}));

const STORE = {
  total_rounds: 3,
  question_text: "Which store should the ledger use?",
  type: "multiple_choice",
  allow_other: true,
  options: [
    { id: "postgresql", label: "PostgreSQL", description: "Several nodes share one database" },
    { id: "sqlite", label: "SQLite", description: "One file, no server" },
  ],
  follow_up_questions: {
    postgresql: [
      {
        question_text: "Which version?",
        type: "multiple_choice",
        options: [
          { id: "17", label: "17" },
          { id: "18", label: "18" },
        ],
      },
    ],
  },
};

const LICENCE = {
  agent: "licence-check",
  question: "Which licence should the new package use?",
  options: ["MIT", "Apache-2.0"],
};

const DEPLOY = {
  agent: "deploy-bot",
  title: "Release train 2026-W47",
  question_text: "Deploy payments 2.14 to production?",
  type: "boolean",
  default: false,
  on_timeout: "default",
  timeout_s: 900,
};

const OTHERS = [
  {
    agent: "codex",
    title: "payments-api",
    question_text: "Drop the table payments_v1?",
    type: "boolean",
    irreversible: true,
    context: [{ path: "db/0042_drop_payments_v1.sql", lines: "1-3", text: "begin;\ndrop table payments_v1;\ncommit;" }],
  },
  {
    agent: "opencode",
    title: "Flaky test hunt",
    question_text: "The test “retries after 503” fails once in 40 runs. What should I do with it?",
    type: "multiple_choice",
    allow_other: true,
    options: [
      { id: "fix", label: "Find the race", description: "Up to an hour" },
      { id: "quarantine", label: "Quarantine it", description: "And open a ticket" },
    ],
  },
  {
    agent: "docs-writer",
    title: "Changelog 2.14",
    question_text: "How should we describe the outage of 12 November to customers?",
    type: "text",
  },
];

const SETTLED = [
  { agent: "renovate", title: "Dependencies", question: "Merge the dependency updates?", by: "Mei" },
  { agent: "deploy-bot", title: "Staging", question: "Rotate the staging certificates now?", by: "Kenji" },
  { agent: "claude-code", title: "Workspace", question: "Use pnpm for the new workspace?", by: "Mei" },
];

await setup({ dev: true, build: true });
const folder = await mkdtemp(join(tmpdir(), "parley-screenshots-"));
const server = await startServer("dist/server.js", {
  env: { DATABASE_URL: `file:${join(folder, "parley.db")}`, GALLERY: "true" },
});
const browser = await chromium.launch(playwright.use?.launchOptions);
try {
  const session_id = await seed();
  const screens = {
    inbox: "/",
    settled: "/?view=settled",
    conversations: "/conversations",
    conversation: `/conversations/${session_id}`,
    insights: "/insights",
    connect: "/connect",
    gallery: "/gallery",
  };
  await mkdir("docs/screens", { recursive: true });
  for (const theme of ["light", "dark"] as const) {
    for (const [device, viewport] of Object.entries({
      desktop: { width: 1440, height: 900 },
      phone: { width: 390, height: 844 },
    })) {
      const page = await open(viewport, theme);
      for (const [name, path] of Object.entries(screens)) {
        await page.goto(server.url + path);
        await take(page, `docs/screens/${name}-${device}-${theme}.jpg`, name === "gallery");
      }
      await page.context().close();
    }
  }

  const page = await open({ width: 1280, height: 800 }, "light");
  await page.goto(server.url);
  await take(page, "docs/inbox.png");
  // Tall enough for what the agent said before it asked.
  await page.setViewportSize({ width: 1280, height: 1_000 });
  await page.goto(server.url + screens.conversation);
  await page.getByRole("radio", { name: "PostgreSQL" }).check();
  await page.getByRole("radio", { name: "18" }).waitFor();
  await take(page, "docs/thread.png");
} finally {
  await browser.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

/** A few open and settled questions, and a conversation that was imported. Returns that conversation. */
async function seed(): Promise<string> {
  const hub = createClient({ url: server.url });
  const { session_id } = await hub.call("importSession", {
    body: THREAD.map((line) => JSON.stringify(line)).join("\n"),
  });
  const builder = createClient({ url: server.url, headers: () => ({ "x-parley-name": "claude-code" }) });
  for (const { by, ...question } of SETTLED) {
    const { ask } = await hub.call("ask", { body: { ...question, options: ["Yes", "No"] } });
    const person = createClient({ url: server.url, headers: () => ({ "x-parley-name": by }) });
    const { session_id, tool_use_id, questions } = ask;
    const question_id = questions[0]?.question_id ?? "";
    await person.call("answer", { body: { session_id, tool_use_id, answers: { [question_id]: "Yes" } } });
  }
  await hub.call("ask", { body: DEPLOY });
  await builder.call("ask", { body: { session_id, ...STORE } });
  for (const repository of ["web", "api", "docs"])
    await hub.call("ask", { body: { ...LICENCE, title: `Licence headers: ${repository}` } });
  for (const body of OTHERS) await hub.call("ask", { body });
  return session_id;
}

/** A page of someone whose name is known, so that nothing asks for it. */
async function open(viewport: { width: number; height: number }, theme: "light" | "dark"): Promise<Page> {
  const isPhone = viewport.width < 500;
  const context = await browser.newContext({
    viewport,
    isMobile: isPhone,
    hasTouch: isPhone,
    locale: "en-US",
    timezoneId: "UTC",
    reducedMotion: "reduce",
  });
  await context.addCookies([
    { name: "parley-theme", value: theme, url: server.url },
    { name: "parley-name", value: "Mei", url: server.url },
  ]);
  return context.newPage();
}

async function take(page: Page, path: string, isWhole = false): Promise<void> {
  await page.locator("[data-ready]").waitFor();
  // Code is highlighted, plots are drawn and the first question is opened after the page has loaded.
  await page.waitForLoadState("networkidle").catch(() => {});
  await page.waitForTimeout(1_000);
  if (isWhole) {
    // The page scrolls inside its frame.
    const height = await page.locator("main").evaluate((main) => main.scrollHeight);
    await page.setViewportSize({ width: page.viewportSize()?.width ?? 1440, height });
    await page.waitForTimeout(1_000);
  }
  const type = path.endsWith(".jpg") ? ({ type: "jpeg", quality: 80 } as const) : {};
  await page.screenshot({ path, animations: "disabled", caret: "hide", ...type });
  console.log(`wrote ${path}`);
}
