// What agents ask, and have asked, in the pictures.

const TITLE = "Move the ledger to a store that survives a crash.";

/** The thread of an agent before it asks, as Claude Code writes it. */
export const THREAD = [
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

export const STORE = {
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

export const LICENCE = {
  agent: "licence-check",
  question: "Which licence should the new package use?",
  options: ["MIT", "Apache-2.0"],
};

export const DEPLOY = {
  agent: "deploy-bot",
  title: "Release train 2026-W47",
  question_text: "Deploy payments 2.14 to production?",
  type: "boolean",
  default: false,
  on_timeout: "default",
  timeout_s: 900,
};

export const OTHERS = [
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

const yesOrNo = (question_text: string) => ({ question_text, type: "boolean" });
const choice = (question: string, ...options: string[]) => ({ question, options });

type OneOrMore<Item> = readonly [Item, ...Item[]];
type Past = { agent: string; title: string; people: OneOrMore<string>; questions: OneOrMore<object> };

/** What agents asked in the weeks before, and who answered. */
export const PAST: OneOrMore<Past> = [
  {
    agent: "claude-code",
    title: "Workspace",
    people: ["Mei", "Mei", "Ana"],
    questions: [
      choice("Which package manager should the new workspace use?", "pnpm", "npm"),
      choice("Where should the shared types live?", "In packages/types", "Next to their API"),
      choice(
        "The two date helpers differ for leap years. Which one is right?",
        "The one in billing",
        "The one in core",
      ),
      yesOrNo("May I rewrite the retry loop with p-retry?"),
      yesOrNo("The test is slow because of real timers. Use fake ones?"),
    ],
  },
  {
    agent: "codex",
    title: "payments-api",
    people: ["Kenji", "Mei"],
    questions: [
      choice("How should a declined card be reported?", "402 with a code", "200 with a status"),
      yesOrNo("Run the migration against staging?"),
      choice("Which currency should the fixture use?", "EUR", "JPY"),
    ],
  },
  {
    agent: "deploy-bot",
    title: "Staging",
    people: ["Kenji", "Kenji", "Ana"],
    questions: [yesOrNo("Rotate the staging certificates now?"), yesOrNo("Deploy payments to staging?")],
  },
  {
    agent: "renovate",
    title: "Dependencies",
    people: ["Mei", "Kenji"],
    questions: [yesOrNo("Merge the dependency updates?"), yesOrNo("Merge the dependency updates?")],
  },
];
