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
  /** Listed by `parley help team`: for a Parley where people sign in. */
  team?: true;
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
      "2 left open, or somebody else answered; 4 Parley is not reachable;",
      "5 nobody is signed in who could answer.",
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
  watch: {
    usage: "watch [--quiet]",
    about: "Show questions as they arrive.",
    more: [
      "--quiet         do not ring",
      "",
      "A terminal rings for each new question and shows a notification if it can.",
      "In a pipe and with --json, nothing rings.",
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
  mcp: {
    usage: "mcp",
    about: "Serve MCP on stdin and stdout, for agents.",
    more: ["Where people sign in, it uses PARLEY_KEY, or the key of parley login."],
    load: () => import("./commands/mcp.ts"),
  },
  connect: {
    usage: "connect claude-code [--user] [--undo] [--print] [--yes]",
    about: "Let Claude Code ask through Parley.",
    more: [
      "--project       for this folder (default)",
      "--user          for all your folders",
      "--undo          remove it again",
      "--print         only show what would be changed",
      "--yes           change it without asking",
      "",
      "Where people sign in, Claude Code uses the key of parley login. For a folder,",
      "whose settings are shared, it takes the key from PARLEY_KEY. No key is written",
      "into a file of Claude Code.",
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
  team: {
    team: true,
    usage: "team [--off [--yes]]",
    about: "Print the link that creates the first account.",
    more: [
      "--off           use Parley alone again: disables all accounts, and keeps them",
      "--yes           do so without asking",
      "Runs where Parley is installed, on DATABASE_URL, beside a running one too.",
    ],
    options: { off: flag, yes: flag },
    load: () => import("./commands/team.ts"),
  },
  person: {
    team: true,
    usage: "person (list | reset LOGIN | admin LOGIN)",
    about: "Let people in again who cannot sign in.",
    more: [
      "list            who has an account",
      "reset LOGIN     print a link with which they set a new password",
      "admin LOGIN     make them an admin",
      "Runs where Parley is installed, on DATABASE_URL, beside a running one too.",
    ],
    load: () => import("./commands/person.ts"),
  },
  login: {
    team: true,
    usage: "login [URL] [--agent NAME | --answer]",
    about: "Sign in, with a code that you enter in a browser.",
    more: [
      "--agent NAME    the name under which agents here ask (the host name)",
      "--answer        sign yourself in, to answer here for the next 12 hours",
      "",
      "Without --answer it gets a key for the agents on this machine, which can ask",
      "and never answer. It is kept in ~/.config/parley/keys.json, which only you can",
      "read; PARLEY_KEY overrides it. Commands then use the Parley at URL, unless",
      "PARLEY_URL says otherwise.",
      "Exit codes: 0 signed in, 4 not reachable, 5 refused, or the code has expired.",
    ],
    options: { agent: text, answer: flag },
    load: () => import("./commands/login.ts"),
  },
  logout: {
    team: true,
    usage: "logout [URL]",
    about: "Forget the keys of this machine.",
    load: () => import("./commands/logout.ts"),
  },
  whoami: {
    team: true,
    usage: "whoami",
    about: "Say who is signed in here, and what they may do.",
    load: () => import("./commands/whoami.ts"),
  },
  key: {
    team: true,
    usage: "key [--raw] [--url URL]",
    about: "Print the key of this machine as a header.",
    more: [
      "--raw           only the key itself",
      "--url URL       the key for this Parley",
      "Claude Code runs it as its headersHelper: see connect.",
    ],
    options: { raw: flag, url: text },
    load: () => import("./commands/key.ts"),
  },
  keys: {
    team: true,
    usage: "keys [create (--agent NAME | --personal NAME) | revoke KEY_ID]",
    about: "List, create and revoke keys.",
    more: [
      "--agent NAME    a key for programs that ask under this name",
      "--personal NAME a key that acts as you, for your own programs",
      "--space NAME    the space that the agent asks in (Everyone)",
      "--name NAME     what people call the key (the agent and this machine)",
      "--days DAYS     when it expires, or never (personal keys: 90)",
    ],
    options: { agent: text, personal: text, space: text, name: text, days: text },
    load: () => import("./commands/keys.ts"),
  },
  invite: {
    team: true,
    usage: "invite [LOGIN] [--role ROLE]",
    about: "Print a link that creates an account.",
    more: [
      "LOGIN           who it is for; without it, for whoever opens it first",
      "--role ROLE     admin, member or viewer (member)",
    ],
    options: { role: text },
    load: () => import("./commands/invite.ts"),
  },
  people: {
    team: true,
    usage: "people",
    about: "List the people who have an account.",
    load: () => import("./commands/people.ts"),
  },
  claim: {
    team: true,
    usage: "claim ID... [--take-over]",
    about: "Tell colleagues that you are on a question.",
    more: [
      "ID              of a question, its conversation or its inbox item",
      "--take-over     even if somebody else has claimed it",
    ],
    options: { "take-over": flag },
    load: () => import("./commands/claim.ts"),
  },
  release: {
    team: true,
    usage: "release ID...",
    about: "Give a claim up.",
    load: () => import("./commands/release.ts"),
  },
  assign: {
    team: true,
    usage: "assign ID... --to (LOGIN | me | nobody)",
    about: "Assign a question to somebody.",
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
    "parley COMMAND --help says more. --json prints everything as JSON.",
    "PARLEY_URL says where Parley is (http://localhost:3000).",
    "Exit codes: 0 answered, 1 bad input, 2 cancelled, 3 timed out, 4 not reachable,",
    "5 not signed in.",
    "",
  ].join("\n");
}

/** The commands for a Parley where people sign in. */
export function teamHelp(): string {
  return [
    "Commands for a team, which signs in to answer.",
    "",
    ...listed(({ team }) => team === true),
    "",
    "PARLEY_KEY and PARLEY_URL override what parley login has stored.",
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
