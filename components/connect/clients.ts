/** One thing to do. Its text is `connect.steps.<text>`; what to paste is in `code`. */
type Step = { text: StepText; code?: (url: string, agent: string) => string; language?: string };

type StepText =
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
  /** How the live test recognises its questions: by a name that we choose, a name of its own, or its entry point. */
  known: { by: "name" } | { by: "ownName"; name: string } | { by: "surface" };
  steps: Step[];
};

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** The ways to connect an agent, each with what to do, in order. */
export const CLIENTS: readonly ConnectClient[] = [
  {
    id: "claude",
    known: { by: "ownName", name: "claude-code" },
    steps: [
      { text: "install" },
      { text: "connectClaude", language: "bash", code: (url) => `PARLEY_URL=${url} parley connect claude-code` },
      { text: "say" },
    ],
  },
  {
    id: "codex",
    known: { by: "surface" },
    steps: [
      {
        text: "codex",
        language: "toml",
        code: (url) => `[mcp_servers.parley]\nurl = "${url}/mcp"\ntool_timeout_sec = 86400`,
      },
      { text: "say" },
    ],
  },
  {
    id: "opencode",
    known: { by: "surface" },
    steps: [
      {
        text: "opencode",
        language: "json",
        code: (url) => json({ mcp: { parley: { type: "remote", url: `${url}/mcp` } } }),
      },
      { text: "say" },
    ],
  },
  {
    id: "cursor",
    known: { by: "surface" },
    steps: [
      { text: "cursor", language: "json", code: (url) => json({ mcpServers: { parley: { url: `${url}/mcp` } } }) },
      { text: "say" },
    ],
  },
  {
    id: "mcp",
    known: { by: "surface" },
    steps: [{ text: "mcp", language: "text", code: (url) => `${url}/mcp` }, { text: "say" }],
  },
  {
    id: "curl",
    known: { by: "name" },
    steps: [
      {
        text: "run",
        language: "bash",
        code: (url, agent) => `curl -s ${url}/api/asks -H 'content-type: application/json' -d '{
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
      {
        text: "program",
        language: "typescript",
        code: (url, agent) => `const response = await fetch("${url}/api/asks", {
  method: "POST",
  headers: { "content-type": "application/json" },
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
      {
        text: "program",
        language: "python",
        code: (url, agent) => `import json, urllib.request
body = {"agent": "${agent}", "question": "Ship it?", "options": ["Yes", "Not yet"], "wait": 55}
request = urllib.request.Request("${url}/api/asks", json.dumps(body).encode(), {"content-type": "application/json"})
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
        code: (url, agent) => `PARLEY_URL=${url} parley ask --agent ${agent} '{
  "questions": [{"question": "Ship it?", "header": "Ship", "multiSelect": false, "options": [
    {"label": "Yes", "description": "At once"}, {"label": "Not yet", "description": "Tomorrow"}]}]
}'`,
      },
    ],
  },
  {
    id: "langgraph",
    known: { by: "ownName", name: "langgraph" },
    steps: [{ text: "langgraph", language: "bash", code: (url) => `node examples/langgraph.mjs ${url}` }],
  },
];
