import type { AskView } from "../../lib/protocol/ask.ts";
import type { MessageBody, MessageView } from "../../lib/protocol/message.ts";

type Question = AskView["questions"][number];

const PERSON = { kind: "person", name: "Mei", surface: "browser" } as const;
const AGENT = { kind: "agent", name: "builder", surface: "rest" } as const;

function question(fields: Partial<Question> & { question_id: string; text: string }): Question {
  return {
    type: "multiple_choice",
    options: [],
    required: true,
    allow_other: false,
    status: "pending",
    answer: null,
    answered_by: null,
    answered_at: null,
    ...fields,
  };
}

const DATABASE = question({
  question_id: "db",
  text: "Which database?",
  header: "Database",
  description: "The ledger is **append-only**; see `docs/ledger.md`.",
  allow_other: true,
  options: [
    { id: "pg", label: "PostgreSQL", description: "Several nodes", default: true, preview: "```sql\nselect 1;\n```" },
    { id: "sqlite", label: "SQLite", description: "One file", preview: "One file, no server." },
  ],
});
const VERSION = question({
  question_id: "version",
  text: "Which version?",
  parent: { question_id: "db", option_id: "pg" },
  options: [
    { id: "17", label: "17" },
    { id: "18", label: "18" },
  ],
});
const CACHES = question({
  question_id: "caches",
  text: "Which caches?",
  header: "Caches",
  type: "checkbox",
  required: false,
  options: [
    { id: "memory", label: "In memory", default: true },
    { id: "disk", label: "On disk" },
  ],
});
const SHIP = question({ question_id: "ship", text: "Ship today?", header: "Ship", type: "boolean", default: false });
const NOTES = question({ question_id: "notes", text: "Anything else?", type: "text", required: false });
const DELETE = question({ question_id: "delete", text: "Delete the bucket prod-backups-2024?", type: "boolean" });
const HIDDEN = question({
  question_id: "hidden",
  text: "Pay p\u0430ypal.com\u200B now?\u202E exe.gpj",
  type: "boolean",
});
const MANY = question({
  question_id: "many",
  type: "checkbox",
  text: "Which of many?",
  options: Array.from({ length: 12 }, (_, index) => ({ id: `o${index}`, label: `Option number ${index + 1}` })),
});
const LONG = question({
  question_id: "long",
  text: "長い質問です。".repeat(30),
  options: [
    { id: "a", label: "x".repeat(200) },
    { id: "b", label: "选项".repeat(100) },
  ],
});

const answered = (
  asked: Question,
  option: number,
  text: string | null = null,
  notes: string | null = null,
): Question => ({
  ...asked,
  status: "answered",
  answer: {
    question_id: asked.question_id,
    value: asked.options[option]?.id ?? text,
    option_ids: asked.options[option] ? [asked.options[option].id] : [],
    labels: asked.options[option] ? [asked.options[option].label] : [],
    text,
    notes,
  },
  answered_by: PERSON,
  answered_at: new Date(0).toISOString(),
});

/** Every state of a card, by name. Times are relative to now, as in real use. */
export function cardStates(now: number): Record<string, AskView> {
  const iso = (seconds: number) => new Date(now + seconds * 1_000).toISOString();
  const ask = (name: string, questions: Question[], more: Partial<AskView> = {}): AskView => ({
    tool_use_id: `toolu_${name}`,
    session_id: "conv_gallery",
    round: 2,
    total_rounds: 3,
    status: "pending",
    shape: "structured",
    created_at: iso(-200),
    deadline_at: null,
    on_timeout: "terminate",
    irreversible: false,
    sequence_num: 1,
    inbox_item_id: `inbox_${name}`,
    content_hash: "0".repeat(64),
    asked_by: AGENT,
    questions,
    input: { question_text: questions[0]?.text, type: questions[0]?.type },
    assignee: null,
    requested_assignee: null,
    claim: null,
    decided_at: null,
    delivered_at: null,
    ...more,
  });
  const settled = (
    status: "answered" | "replied" | "cancelled" | "timeout",
    decided_by: NonNullable<AskView["result"]>["decided_by"],
    more = {},
  ) => ({
    status,
    decided_at: iso(-30),
    delivered_at: iso(-29),
    result: { outcome: status, decided_by, answers: [], output: null, content: "", ...more },
  });
  const record = [
    answered(DATABASE, 0, null, "use the managed one"),
    answered(VERSION, 1),
    answered(NOTES, -1, "Map<string> stays"),
  ];
  return {
    one: ask("one", [DATABASE, VERSION]),
    batch: ask("batch", [DATABASE, CACHES, SHIP, NOTES]),
    yesOrNo: ask("yesOrNo", [SHIP]),
    irreversible: ask("irreversible", [DELETE], { irreversible: true }),
    context: ask("context", [SHIP], {
      input: {
        context: [
          { path: "src/ledger.ts", lines: "12-13", text: "/** Append-only. */\nexport const ledger: Entry[] = [];" },
          { path: "docs/ledger.md" },
        ],
        agent_path: "planner/tests",
      },
    }),
    deadline: ask("deadline", [SHIP], { deadline_at: iso(300), on_timeout: "default" }),
    lastMinute: ask("lastMinute", [DATABASE], { deadline_at: iso(45) }),
    partly: ask("partly", [answered(DATABASE, 0), VERSION]),
    hidden: ask("hidden", [HIDDEN]),
    many: ask("many", [MANY]),
    long: ask("long", [LONG]),
    answered: ask("answered", record, settled("answered", PERSON)),
    notDelivered: ask("notDelivered", record, {
      ...settled("answered", { ...PERSON, surface: "cli" }),
      delivered_at: null,
    }),
    replied: ask(
      "replied",
      [DATABASE],
      settled("replied", PERSON, { reply: "Neither: first explain what the ledger needs." }),
    ),
    cancelled: ask("cancelled", [DATABASE], settled("cancelled", AGENT, { reason: "found the answer in the README" })),
    timeoutDefault: ask(
      "timeoutDefault",
      [SHIP],
      settled(
        "timeout",
        { kind: "default", name: "default", surface: "deadline" },
        {
          answers: [
            { question_id: "ship", value: false, option_ids: ["false"], labels: ["No"], text: null, notes: null },
          ],
        },
      ),
    ),
    timeout: ask("timeout", [DATABASE], settled("timeout", { kind: "system", name: "parley", surface: "deadline" })),
    reopened: ask("reopened", [SHIP], { round: 3 }),
  };
}

/** Every kind of message. */
export function messageStates(now: number): MessageView[] {
  const message = (sequence_num: number, body: MessageBody): MessageView => ({
    ...body,
    sequence_num,
    uuid: `uuid-${sequence_num}`,
    parentUuid: null,
    turn_id: null,
    metadata: null,
    timestamp: new Date(now - 60_000 + sequence_num * 1_000).toISOString(),
  });
  const markdown = [
    "## Two ways\n\nI found **two** ways, see [the docs](https://example.com/docs) and `ledger.ts`:\n",
    "1. move it\n2. leave it\n\n- [x] done\n- [ ] open\n",
    "| way | cost |\n| --- | ---: |\n| move | 3 |\n| leave | 0 |\n",
    "```ts\nexport const answer: number = 42; // a comment\n```\n\n**「強調」**です。",
  ].join("\n");
  return [
    message(1, { type: "text", role: "user", content: { text: "Please move the ledger.", by: "Mei" } }),
    message(2, { type: "thinking", role: "assistant", content: { thinking: "The ledger is append-only." } }),
    message(3, { type: "text", role: "assistant", content: { text: markdown } }),
    message(4, {
      type: "tool_use",
      role: "assistant",
      content: { id: "t1", name: "bash", input: { command: "npm test" } },
    }),
    message(5, {
      type: "tool_result",
      role: "user",
      content: { tool_use_id: "t1", content: "142 passed\n0 failed", is_error: false },
    }),
    message(6, {
      type: "tool_result",
      role: "user",
      content: { tool_use_id: "t2", content: "ENOENT: no such file", is_error: true },
    }),
    message(7, { type: "info", role: "system", content: { event: "conversation.interrupted", by: "parley" } }),
    message(8, { type: "info", role: "system", content: { event: "depth.limit", limit: 10 } }),
    message(9, { type: "error", role: "system", content: { code: "internal", text: "The agent failed." } }),
    message(10, { type: "complete", role: "assistant", content: {} }),
  ];
}
