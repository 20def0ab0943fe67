/**
 * Values filled into a snippet. `key` is the API key itself, once people have accounts. It goes only into terminal commands:
 * files may be committed, so they name the variable that contains it.
 */
export type Filling = { url: string; agent: string; key: string | undefined };

/** One thing to do. Its text is `connect.steps.<text>`; what to paste is in `code`. */
type Step = {
  text: StepText;
  code?: (given: Filling) => string;
  language?: string;
  /** Only where a key is needed. */
  needsKey?: true;
};

type StepText =
  | "export"
  | "install"
  | "connectClaude"
  | "codex"
  | "opencode"
  | "cursor"
  | "mcp"
  | "say"
  | "terminal"
  | "run"
  | "program"
  | "langgraph";

export type ConnectClient = {
  id: "claude" | "codex" | "opencode" | "cursor" | "mcp" | "terminal" | "curl" | "javascript" | "python" | "langgraph";
  /** How the live test recognises its questions: by a name that we choose, its own name, or its entry point. */
  known: { by: "name" } | { by: "ownName"; name: string } | { by: "surface" };
  steps: Step[];
};

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** Settings before a command, in the order in which they are written. */
const settings = ({ url, key }: Filling) => `PARLEY_URL=${url} ${key === undefined ? "" : `PARLEY_KEY=${key} `}`;

/** The key as a variable of the shell, for what cannot hold it itself. */
const EXPORT: Step = {
  text: "export",
  language: "bash",
  needsKey: true,
  code: ({ key = "" }) => `export PARLEY_KEY=${key}`,
};

/** The ways to connect an agent, each with what to do, in order. */
export const CLIENTS: readonly ConnectClient[] = [
  {
    id: "claude",
    known: { by: "ownName", name: "Claude Code" },
    steps: [
      { text: "install" },
      { text: "connectClaude", language: "bash", code: (given) => `${settings(given)}parley connect claude-code` },
      { text: "say" },
    ],
  },
  {
    id: "codex",
    known: { by: "surface" },
    steps: [
      EXPORT,
      {
        text: "codex",
        language: "toml",
        code: ({ url, key }) =>
          `[mcp_servers.parley]\nurl = "${url}/mcp"\ntool_timeout_sec = 86400${key === undefined ? "" : '\nbearer_token_env_var = "PARLEY_KEY"'}`,
      },
      { text: "say" },
    ],
  },
  {
    id: "opencode",
    known: { by: "surface" },
    steps: [
      EXPORT,
      {
        text: "opencode",
        language: "json",
        code: ({ url, key }) =>
          json({ mcp: { parley: { type: "remote", url: `${url}/mcp`, ...bearer(key, "{env:PARLEY_KEY}") } } }),
      },
      { text: "say" },
    ],
  },
  {
    id: "cursor",
    known: { by: "surface" },
    steps: [
      EXPORT,
      {
        text: "cursor",
        language: "json",
        code: ({ url, key }) =>
          json({ mcpServers: { parley: { url: `${url}/mcp`, ...bearer(key, `\${env:PARLEY_KEY}`) } } }),
      },
      { text: "say" },
    ],
  },
  {
    id: "mcp",
    known: { by: "surface" },
    steps: [
      {
        text: "mcp",
        language: "text",
        code: ({ url, key }) => `${url}/mcp${key === undefined ? "" : `\nAuthorization: Bearer ${key}`}`,
      },
      { text: "say" },
    ],
  },
  {
    id: "curl",
    known: { by: "name" },
    steps: [
      {
        text: "run",
        language: "bash",
        code: ({
          url,
          agent,
          key,
        }) => `curl -s ${url}/api/asks -H 'content-type: application/json' ${key === undefined ? "" : `-H 'authorization: Bearer ${key}' `}-d '{
  "agent": "${agent}",
  "question": "Ship it?",
  "options": ["Yes", "Not yet"],
  "wait": 55
}'`,
      },
    ],
  },
  {
    id: "javascript",
    known: { by: "name" },
    steps: [
      EXPORT,
      {
        text: "program",
        language: "typescript",
        code: ({ url, agent, key }) => `const response = await fetch("${url}/api/asks", {
  method: "POST",
  headers: { "content-type": "application/json"${key === undefined ? "" : `, authorization: \`Bearer \${process.env.PARLEY_KEY}\``} },
  body: JSON.stringify({ agent: "${agent}", question: "Ship it?", options: ["Yes", "Not yet"], wait: 55 }),
});
const { ask } = await response.json();
console.log(ask.status, ask.result?.content);`,
      },
    ],
  },
  {
    id: "python",
    known: { by: "name" },
    steps: [
      EXPORT,
      {
        text: "program",
        language: "python",
        code: ({ url, agent, key }) => `import json, ${key === undefined ? "" : "os, "}urllib.request
body = {"agent": "${agent}", "question": "Ship it?", "options": ["Yes", "Not yet"], "wait": 55}
request = urllib.request.Request("${url}/api/asks", json.dumps(body).encode(), {"content-type": "application/json"${key === undefined ? "" : ', "authorization": "Bearer " + os.environ["PARLEY_KEY"]'}})
ask = json.load(urllib.request.urlopen(request))["ask"]
print(ask["status"], ask.get("result", {}).get("content"))`,
      },
    ],
  },
  {
    id: "terminal",
    known: { by: "name" },
    steps: [
      { text: "install" },
      {
        text: "terminal",
        language: "bash",
        code: (given) => `${settings(given)}parley ask --agent ${given.agent} '{
  "questions": [{"question": "Ship it?", "header": "Ship", "multiSelect": false, "options": [
    {"label": "Yes", "description": "At once"}, {"label": "Not yet", "description": "Tomorrow"}]}]
}'`,
      },
    ],
  },
  {
    id: "langgraph",
    known: { by: "ownName", name: "langgraph" },
    steps: [
      {
        text: "langgraph",
        language: "bash",
        code: ({ url, key }) => `${key === undefined ? "" : `PARLEY_KEY=${key} `}node examples/langgraph.mjs ${url}`,
      },
    ],
  },
];

/** How a file names the variable with the key. */
function bearer(key: string | undefined, variable: string): { headers?: Record<string, string> } {
  return key === undefined ? {} : { headers: { Authorization: `Bearer ${variable}` } };
}
