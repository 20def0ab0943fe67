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
  /** Listed by `parley help team`, for installations where people sign in. */
  team?: true;
  options?: NonNullable<ParseArgsConfig["options"]>;
  /** Loaded on demand, so that a command starts as fast as its own imports allow. */
  load: () => Promise<{ run: Run }>;
};

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

export const COMMANDS: Record<string, Command> = {
  serve: {
    usage: "serve [--port PORT] [--host ADDRESS] [--home FOLDER]",
    about: "Run Parley on this machine.",
    more: [
      "--port PORT     the port to listen on (3000)",
      "--host ADDRESS  the address to listen on (127.0.0.1)",
      "--home FOLDER   the folder for data and settings (.env): ~/.parley, or",
      "                the clone's folder; same as PARLEY_HOME",
    ],
    options: { port: text, host: text, home: text },
    load: () => import("./commands/serve.ts"),
  },
  ask: {
    usage: "ask [OPTIONS] ('<json>' | - | --skill NAME [--var NAME=VALUE]...)",
    about: "Ask a question, wait for the answer and print it as JSON.",
    more: [
      "-               read the JSON from stdin",
      "--local         ask in this terminal, without Parley",
      "--session ID    ask in this conversation instead of a new one",
      "--agent NAME    who asks",
      "--title TITLE   the title of the new conversation",
      "--key KEY       repeat it to get the same question",
      "--skill NAME    ask a question template, filled in with --var NAME=VALUE",
      "--irreversible  the answer triggers something that cannot be undone:",
      "                the person must confirm it, and no default is used",
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
    about: "List open questions.",
    more: ["--agent NAME    only questions from this agent", "--search WORDS  only questions that contain these words"],
    options: { agent: text, search: text },
    load: () => import("./commands/inbox.ts"),
  },
  answer: {
    usage: "answer [OPTIONS] [TOOL_USE_ID | SESSION_ID]",
    about: "List open questions and answer them.",
    more: [
      "--session ID    only questions in this conversation",
      "--once          answer one question, and do not wait for the next",
      "--reply TEXT    reply in words instead of choosing; the agent gets the text",
      "",
      "In a terminal it follows the conversation: it shows what the agent does",
      "and then its next question. Press q to quit.",
      "Exit codes: 0 answered, or nothing is pending; 1 no such question;",
      "2 left open, or someone else answered; 4 Parley is not reachable;",
      "5 not signed in.",
    ],
    options: { session: text, once: flag, reply: text },
    load: () => import("./commands/answer.ts"),
  },
  extend: {
    usage: "extend (TOOL_USE_ID | SESSION_ID) (+15m | +1h | +2d | TIME | none)",
    about: "Give an open question more time.",
    more: [
      "+15m            15 minutes after its deadline, or from now if it has none",
      "TIME            until this time, such as 2026-05-01T09:00",
      "none            no deadline: it waits until someone answers",
      "--session ID    the conversation, if several have a question with that id",
    ],
    options: { session: text },
    load: () => import("./commands/extend.ts"),
  },
  snooze: {
    usage: "snooze ID... (+1h | +2d | 9:00 | tomorrow | TIME | now)",
    about: "Put questions away until later, for yourself.",
    more: [
      "ID              a question, its conversation or its inbox item",
      "+1h             in an hour; +15m and +2d work too",
      "9:00            the next time it is nine; tomorrow is tomorrow at 9:00",
      "TIME            until this time, such as 2026-05-01T09:00",
      "now             bring them back",
      "",
      "A question comes back at the latest shortly before its deadline.",
    ],
    team: true,
    load: () => import("./commands/snooze.ts"),
  },
  skills: {
    usage: "skills",
    about: "List the question templates.",
    load: () => import("./commands/skills.ts"),
  },
  watch: {
    usage: "watch [--quiet]",
    about: "Show questions as they arrive.",
    more: [
      "--quiet         do not ring the bell",
      "",
      "Rings the terminal's bell for each new question, and shows a notification",
      "if the terminal can. Never rings in a pipe or with --json.",
    ],
    options: { quiet: flag },
    load: () => import("./commands/watch.ts"),
  },
  sessions: { usage: "sessions", about: "List conversations.", load: () => import("./commands/sessions.ts") },
  show: {
    usage: "show SESSION_ID",
    about: "Show a conversation round by round.",
    load: () => import("./commands/show.ts"),
  },
  export: {
    usage: "export SESSION_ID [FILE | FOLDER]",
    about: "Write a conversation as JSONL.",
    more: ["In a folder, the file gets the name that `claude --resume` expects."],
    load: () => import("./commands/export.ts"),
  },
  import: {
    usage: "import FILE",
    about: "Read a conversation from JSONL.",
    load: () => import("./commands/import.ts"),
  },
  audit: {
    usage: "audit [SESSION_ID...] [--since FILE]",
    about: "Verify that nobody has changed the audit record.",
    more: [
      "--checkpoint    print the end of the record as one line, to keep elsewhere",
      "--since FILE    also compare with these lines, or with one line given here",
      "--export        print all events as JSON Lines, in the order of their seals",
      "--follow        the same, and then each new event until you press Ctrl-C",
      "--after POS     export or follow from after this position on",
      "--new-chain     start a new chain of seals, if the audit key was lost",
      "Run it where Parley is installed, also while it runs. It uses DATABASE_URL.",
      "Exit codes: 0 unchanged, 1 changed or not verifiable.",
    ],
    options: {
      checkpoint: flag,
      since: { type: "string", multiple: true },
      export: flag,
      follow: flag,
      after: { type: "string" },
      "new-chain": flag,
    },
    load: () => import("./commands/audit.ts"),
  },
  mcp: {
    usage: "mcp [--url URL]",
    about: "Serve MCP on stdin and stdout, for agents.",
    more: [
      "--url URL       for the Parley at this address",
      "Once people sign in, it uses PARLEY_KEY, or the key from parley login.",
    ],
    options: { url: text },
    load: () => import("./commands/mcp.ts"),
  },
  connect: {
    usage: "connect claude-code [--user] [--undo] [--print] [--yes]",
    about: "Let Claude Code ask through Parley.",
    more: [
      "--project       for this folder (default)",
      "--user          for all your folders",
      "--undo          remove it again",
      "--print         only show what would change",
      "--yes           make the changes without asking",
      "",
      "Once people sign in, it uses PARLEY_KEY, or the key from parley login.",
      "Parley never writes a key to Claude Code's files.",
    ],
    options: { project: flag, user: flag, undo: flag, print: flag, yes: flag },
    load: () => import("./commands/connect.ts"),
  },
  hook: {
    usage: "hook claude-code [--url URL]",
    about: "The hook that Claude Code runs when it asks: see connect.",
    hidden: true,
    options: { url: text },
    load: () => import("./commands/hook.ts"),
  },
  doctor: { usage: "doctor", about: "Check that everything is set up.", load: () => import("./commands/doctor.ts") },
  team: {
    team: true,
    usage: "team [--agents on|off | --strong-sign-in WHO | --off [--yes]]",
    about: "Print the link that creates the first account.",
    more: [
      "--agents on|off let agents such as claude run on Parley's own machine, or not",
      "--strong-sign-in off|admins|everyone",
      "                who must sign in with a passkey or the identity provider",
      "--off           turn sign-in off: disable all accounts, but keep them",
      "--yes           do it without asking",
      "Run it where Parley is installed, also while it runs. It uses DATABASE_URL.",
    ],
    options: { off: flag, yes: flag, agents: text, "strong-sign-in": text },
    load: () => import("./commands/team.ts"),
  },
  person: {
    team: true,
    usage: "person (list | reset LOGIN | admin LOGIN)",
    about: "Help people who cannot sign in.",
    more: [
      "list            list everyone with an account",
      "reset LOGIN     print a link to set a new password",
      "admin LOGIN     make them an admin",
      "Run it where Parley is installed, also while it runs. It uses DATABASE_URL.",
    ],
    load: () => import("./commands/person.ts"),
  },
  login: {
    team: true,
    usage: "login [URL] [--agent NAME | --answer]",
    about: "Sign in with a code that you enter in a browser.",
    more: [
      "--agent NAME    the name agents here ask under (the host name)",
      "--answer        sign yourself in, to answer here for 12 hours",
      "",
      "Without --answer it gets a key for the agents on this machine. They can ask",
      "with it, and report what you decide in their own terminal, but not answer.",
      "It is in ~/.config/parley/keys.json, which only you can read; PARLEY_KEY",
      "overrides it. Commands then use the Parley at URL, unless PARLEY_URL is set.",
      "Exit codes: 0 signed in, 4 not reachable, 5 refused or the code has expired.",
    ],
    options: { agent: text, answer: flag },
    load: () => import("./commands/login.ts"),
  },
  logout: {
    team: true,
    usage: "logout [URL]",
    about: "Remove this machine's keys.",
    load: () => import("./commands/logout.ts"),
  },
  whoami: {
    team: true,
    usage: "whoami",
    about: "Show who is signed in here, and what they may do.",
    load: () => import("./commands/whoami.ts"),
  },
  key: {
    team: true,
    usage: "key [--raw] [--url URL]",
    about: "Print this machine's key as a header.",
    more: [
      "--raw           print only the key itself",
      "--url URL       the key for this Parley",
      "Claude Code can run it as the headersHelper of a server over HTTP.",
    ],
    options: { raw: flag, url: text },
    load: () => import("./commands/key.ts"),
  },
  keys: {
    team: true,
    usage: "keys [create … | change KEY_ID | revoke KEY_ID]",
    about: "List, create, change and revoke keys.",
    more: [
      "create needs --agent or --personal; change takes --report and --people.",
      "--agent NAME    a key for programs that ask under this name",
      "--personal NAME a key that acts as you, for your own programs",
      "--space NAME    the space the agent asks in (Everyone)",
      "--name NAME     the key's name (the agent and this machine)",
      "--days DAYS     days until it expires, or never (personal keys: 90)",
      "--report on|off whether it may report decisions made in the agent's terminal",
      "--people LOGINS whose key it is; several, with commas, make it its space's key",
    ],
    options: { agent: text, personal: text, space: text, name: text, days: text, report: text, people: text },
    load: () => import("./commands/keys.ts"),
  },
  invite: {
    team: true,
    usage: "invite [LOGIN] [--role ROLE]",
    about: "Print a link that creates an account.",
    more: [
      "LOGIN           who it is for; without it, the first person to open it",
      "--role ROLE     admin, member or viewer (member)",
    ],
    options: { role: text },
    load: () => import("./commands/invite.ts"),
  },
  people: {
    team: true,
    usage: "people",
    about: "List everyone with an account.",
    load: () => import("./commands/people.ts"),
  },
  claim: {
    team: true,
    usage: "claim ID... [--take-over]",
    about: "Let colleagues know you are on a question.",
    more: [
      "ID              a question, its conversation or its inbox item",
      "--take-over     even if someone else has claimed it",
    ],
    options: { "take-over": flag },
    load: () => import("./commands/claim.ts"),
  },
  release: {
    team: true,
    usage: "release ID...",
    about: "Release a claim.",
    load: () => import("./commands/release.ts"),
  },
  assign: {
    team: true,
    usage: "assign ID... --to (LOGIN | me | nobody)",
    about: "Assign a question to a person.",
    options: { to: text },
    load: () => import("./commands/assign.ts"),
  },
};

export function help(): string {
  return [
    "Ask people questions, and answer them, from a terminal.",
    "",
    ...listed(({ hidden, team }) => !hidden && !team),
    "  parley help team  Sign in, and manage people, keys and claims.",
    "",
    "Run parley COMMAND --help for details. --json prints everything as JSON.",
    "PARLEY_URL is Parley's address (http://localhost:3000).",
    "Exit codes: 0 answered, 1 bad input, 2 cancelled, 3 timed out, 4 not reachable,",
    "5 not signed in, 6 a limit is reached: try again later.",
    "",
  ].join("\n");
}

/** The commands for installations where people sign in. */
export function teamHelp(): string {
  return [
    "Commands for teams, where people sign in.",
    "",
    ...listed(({ team }) => team === true),
    "",
    "PARLEY_KEY and PARLEY_URL override what parley login stored.",
    "",
  ].join("\n");
}

function listed(isListed: (command: Command) => boolean): string[] {
  const shown = Object.entries(COMMANDS).filter(([, command]) => isListed(command));
  return shown.map(([name, { about }]) => `  parley ${name.padEnd(10)}${about}`);
}

export function helpOf({ usage, about, more = [], guide }: Command): string {
  const lines = more.map((line) => (line === "" ? "" : `  ${line}`));
  return [`Usage: parley ${usage}`, about, ...lines, ...(guide ? ["", guide] : []), ""].join("\n");
}
