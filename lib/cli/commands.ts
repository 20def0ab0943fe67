import type { ParseArgsConfig } from "node:util";
import type { Run } from "./terminal.ts";

type Command = {
  usage: string;
  about: string;
  options?: NonNullable<ParseArgsConfig["options"]>;
  /** Loaded only when it is run: a command starts as fast as what it needs itself. */
  load: () => Promise<{ run: Run }>;
};

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

export const COMMANDS: Record<string, Command> = {
  ask: {
    usage: "ask [--local] [--session ID] [--agent NAME] [--key KEY] ('<json>' | --skill NAME [--var NAME=VALUE]...)",
    about: "Ask, wait for the answer and print it as JSON. --local asks in this terminal.",
    options: {
      local: flag,
      session: text,
      agent: text,
      key: text,
      title: text,
      skill: text,
      var: { type: "string", multiple: true },
    },
    load: () => import("./ask.ts"),
  },
  answer: {
    usage: "answer [TOOL_USE_ID]",
    about: "List what is pending anywhere, and answer it.",
    load: () => import("./answer.ts"),
  },
  skills: {
    usage: "skills",
    about: "List the questions that can be asked by name.",
    load: () => import("./skills.ts"),
  },
  watch: { usage: "watch", about: "Show questions as they come.", load: () => import("./watch.ts") },
  sessions: { usage: "sessions", about: "List conversations.", load: () => import("./sessions.ts") },
  show: { usage: "show SESSION_ID", about: "Show a conversation round by round.", load: () => import("./show.ts") },
  export: {
    usage: "export SESSION_ID [FILE]",
    about: "Write a conversation as JSONL.",
    load: () => import("./export.ts"),
  },
  import: { usage: "import FILE", about: "Read a conversation from JSONL.", load: () => import("./import.ts") },
  mcp: { usage: "mcp", about: "Serve MCP on stdin and stdout, for agents.", load: () => import("./mcp.ts") },
  doctor: { usage: "doctor", about: "Check that everything is set up.", load: () => import("./doctor.ts") },
};

export function help(): string {
  const rows = Object.values(COMMANDS).map(({ usage, about }) => `  parley ${usage}\n      ${about}`);
  return [
    "Ask people questions, and answer them, from a terminal.",
    "",
    ...rows,
    "",
    "--json prints all there is as JSON. PARLEY_URL says where Parley is (http://localhost:3000).",
    "Exit codes: 0 answered, 1 bad input, 2 cancelled, 3 timed out, 4 Parley not reachable.",
    "",
  ].join("\n");
}
