// Takes the pictures in docs/ from a real server with a few questions in it: `npm run screenshots`.
import { mkdtemp, rm } from "node:fs/promises";
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

const LICENCE = { agent: "ci", question: "Which licence should the new package use?", options: ["MIT", "Apache-2.0"] };

const DEPLOY = {
  agent: "deploy-bot",
  question_text: "Deploy payments 2.14 to production?",
  type: "boolean",
  default: false,
  on_timeout: "default",
  timeout_s: 900,
};

await setup({ dev: true, build: true });
const folder = await mkdtemp(join(tmpdir(), "parley-screenshots-"));
const server = await startServer("dist/server.js", { env: { DATABASE_URL: `file:${join(folder, "parley.db")}` } });
const browser = await chromium.launch(playwright.use?.launchOptions);
try {
  const hub = createClient({ url: server.url });
  const { session_id } = await hub.call("importSession", {
    body: THREAD.map((line) => JSON.stringify(line)).join("\n"),
  });
  const builder = createClient({ url: server.url, headers: () => ({ "x-parley-name": "builder" }) });
  await builder.call("ask", { body: { session_id, ...STORE } });
  for (let asked = 0; asked < 3; asked++) await hub.call("ask", { body: LICENCE });
  await hub.call("ask", { body: DEPLOY });

  const viewport = { width: 1280, height: 800 };
  const page = await browser.newPage({ viewport, locale: "en-US", timezoneId: "UTC", reducedMotion: "reduce" });
  await page.goto(server.url);
  await page.getByRole("link", { name: DEPLOY.question_text }).click();
  await page.getByRole("button", { name: /Submit/ }).waitFor();
  await take(page, "docs/inbox.png");

  // Tall enough for what the agent said before it asked.
  await page.setViewportSize({ width: 1280, height: 1_100 });
  await page.goto(`${server.url}/conversations/${session_id}`);
  await page.getByRole("radio", { name: "PostgreSQL" }).check();
  await page.getByRole("radio", { name: "18" }).waitFor();
  await take(page, "docs/thread.png");
} finally {
  await browser.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

async function take(page: Page, path: string): Promise<void> {
  await page.getByText("Live", { exact: true }).waitFor();
  await page.screenshot({ path, animations: "disabled", caret: "hide" });
  console.log(`wrote ${path}`);
}
