import type { ParseArgsConfig } from "node:util";
import { ASK_GUIDE } from "./commands/ask-guide.ts";
import type { Run } from "./terminal/terminal.ts";

type Command = {
  usage: string;
  about: string;
  /** Its options and further notes, one per line. */
  more?: string[];
  /** A complete guide, for agents that have no other documentation. */
  guide?: string;
  /** Run by agents, so not listed for people. */
  hidden?: true;
  options?: NonNullable<ParseArgsConfig["options"]>;
  /** Loaded only when it runs, so that a command starts as fast as its own imports allow. */
  load: () => Promise<{ run: Run }>;
};

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

export const COMMANDS: Record<string, Command> = {
  serve: {
    usage: "serve [--port PORT] [--host ADDRESS] [--home FOLDER]",
    about: "Run Parley on this machine.",
    more: [
      "--port PORT     where it listens (3000)",
      "--host ADDRESS  on which address (127.0.0.1)",
      "--home FOLDER   where its data and its settings (.env) are: ~/.parley, or",
      "                the folder of a clone; also PARLEY_HOME",
    ],
    options: { port: text, host: text, home: text },
    load: () => import("./commands/serve.ts"),
  },
  ask: {
    usage: "ask [OPTIONS] ('<json>' | - | --skill NAME [--var NAME=VALUE]...)",
    about: "Ask, wait for the answer and print it as JSON.",
    more: [
      "-               read the JSON from stdin",
      "--local         ask in this terminal, without Parley",
      "--session ID    ask in this conversation instead of a new one",
      "--agent NAME    who asks",
      "--title TITLE   what the new conversation is about",
      "--key KEY       repeat it to get the same question",
      "--skill NAME    ask a template, filled in with --var NAME=VALUE",
      "--irreversible  the answer sets off something that cannot be undone:",
      "                the person confirms it once more, and no default is used",
      "--json          print the whole question with its result",
    ],
    guide: ASK_GUIDE,
    options: {
      local: flag,
      session: text,
      agent: text,
      key: text,
      title: text,
      skill: text,
      irreversible: flag,
      var: { type: "string", multiple: true },
    },
    load: () => import("./commands/ask.ts"),
  },
  inbox: {
    usage: "inbox [--agent NAME] [--search WORDS]",
    about: "List what waits for an answer.",
    more: ["--agent NAME    only questions of this agent", "--search WORDS  only questions in which these words occur"],
    options: { agent: text, search: text },
    load: () => import("./commands/inbox.ts"),
  },
  answer: {
    usage: "answer [OPTIONS] [TOOL_USE_ID | SESSION_ID]",
    about: "List what is pending anywhere, and answer it.",
    more: [
      "--session ID    only questions of this conversation",
      "--once          answer one question, and do not wait for the next one",
      "--reply TEXT    reply in words instead of choosing; the agent gets the text",
      "",
      "At a terminal it stays with the conversation: it shows what the agent does",
      "and asks its next question when it comes. Press q to quit.",
      "Exit codes: 0 answered, or nothing is pending; 1 there is no such question;",
      "2 left open, or somebody else answered; 4 Parley is not reachable.",
    ],
    options: { session: text, once: flag, reply: text },
    load: () => import("./commands/answer.ts"),
  },
  extend: {
    usage: "extend (TOOL_USE_ID | SESSION_ID) (+15m | +1h | +2d | TIME | none)",
    about: "Give an open question more time.",
    more: [
      "+15m            15 minutes after its deadline, or from now if it has none",
      "TIME            until then, as in 2026-05-01T09:00",
      "none            no deadline: it waits until somebody answers",
      "--session ID    the conversation, if several have a question of that name",
    ],
    options: { session: text },
    load: () => import("./commands/extend.ts"),
  },
  skills: {
    usage: "skills",
    about: "List the questions that can be asked by name.",
    load: () => import("./commands/skills.ts"),
  },
  watch: { usage: "watch", about: "Show questions as they arrive.", load: () => import("./commands/watch.ts") },
  sessions: { usage: "sessions", about: "List conversations.", load: () => import("./commands/sessions.ts") },
  show: {
    usage: "show SESSION_ID",
    about: "Show a conversation round by round.",
    load: () => import("./commands/show.ts"),
  },
  export: {
    usage: "export SESSION_ID [FILE | FOLDER]",
    about: "Write a conversation as JSONL.",
    more: ["In a folder it gets the name that `claude --resume` takes."],
    load: () => import("./commands/export.ts"),
  },
  import: {
    usage: "import FILE",
    about: "Read a conversation from JSONL.",
    load: () => import("./commands/import.ts"),
  },
  audit: {
    usage: "audit [SESSION_ID...] [--since FILE] | --checkpoint | --new-chain",
    about: "Verify that the record is as it was written.",
    more: [
      "--checkpoint    print the end of the record as one line, to keep elsewhere",
      "--since FILE    also compare with such lines, or with one given here",
      "--new-chain     begin the chain of seals again: the audit key was lost",
      "Runs where Parley is installed, on DATABASE_URL, beside a running one too.",
      "Exit codes: 0 as it was written, 1 not, or it could not be verified.",
    ],
    options: { checkpoint: flag, since: { type: "string", multiple: true }, "new-chain": flag },
    load: () => import("./commands/audit.ts"),
  },
  mcp: { usage: "mcp", about: "Serve MCP on stdin and stdout, for agents.", load: () => import("./commands/mcp.ts") },
  connect: {
    usage: "connect claude-code [--user] [--undo] [--print] [--yes]",
    about: "Let Claude Code ask through Parley.",
    more: [
      "--project       for this folder (default)",
      "--user          for all your folders",
      "--undo          remove it again",
      "--print         only show what would be changed",
      "--yes           change it without asking",
    ],
    options: { project: flag, user: flag, undo: flag, print: flag, yes: flag },
    load: () => import("./commands/connect.ts"),
  },
  hook: {
    usage: "hook claude-code [--url URL]",
    about: "What Claude Code runs when it asks: see connect.",
    hidden: true,
    options: { url: text },
    load: () => import("./commands/hook.ts"),
  },
  doctor: { usage: "doctor", about: "Check that everything is set up.", load: () => import("./commands/doctor.ts") },
};

export function help(): string {
  const shown = Object.entries(COMMANDS).filter(([, { hidden }]) => !hidden);
  return [
    "Ask people questions, and answer them, from a terminal.",
    "",
    ...shown.map(([name, { about }]) => `  parley ${name.padEnd(10)}${about}`),
    "",
    "parley COMMAND --help says more. --json prints everything as JSON.",
    "PARLEY_URL says where Parley is (http://localhost:3000).",
    "Exit codes: 0 answered, 1 bad input, 2 cancelled, 3 timed out, 4 not reachable.",
    "",
  ].join("\n");
}

export function helpOf({ usage, about, more = [], guide }: Command): string {
  const lines = more.map((line) => (line === "" ? "" : `  ${line}`));
  return [`Usage: parley ${usage}`, about, ...lines, ...(guide ? ["", guide] : []), ""].join("\n");
}
