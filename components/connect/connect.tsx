"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { StartDemo } from "../conversations/start-demo.tsx";
import { CodeBlock } from "../ui/code-block.tsx";
import { LiveTest } from "./live-test.tsx";

/** The ways to connect an agent, each with a snippet to paste and a live test. */
const WAYS = [
  {
    id: "curl",
    language: "bash",
    snippet: (url: string, agent: string) => `curl -s ${url}/api/asks -H 'content-type: application/json' -d '{
  "agent": "${agent}",
  "question": "Ship it?",
  "options": ["Yes", "Not yet"],
  "wait": 55
}'`,
  },
  {
    id: "javascript",
    language: "typescript",
    snippet: (url: string, agent: string) => `const response = await fetch("${url}/api/asks", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ agent: "${agent}", question: "Ship it?", options: ["Yes", "Not yet"], wait: 55 }),
});
const { ask } = await response.json();
console.log(ask.status, ask.result?.content);`,
  },
  {
    id: "python",
    language: "python",
    snippet: (url: string, agent: string) => `import json, urllib.request
body = {"agent": "${agent}", "question": "Ship it?", "options": ["Yes", "Not yet"], "wait": 55}
request = urllib.request.Request("${url}/api/asks", json.dumps(body).encode(), {"content-type": "application/json"})
ask = json.load(urllib.request.urlopen(request))["ask"]
print(ask["status"], ask.get("result", {}).get("content"))`,
  },
  {
    id: "terminal",
    language: "bash",
    snippet: (url: string, agent: string) => `PARLEY_URL=${url} parley ask --agent ${agent} '{
  "questions": [{"question": "Ship it?", "header": "Ship", "multiSelect": false, "options": [
    {"label": "Yes", "description": "At once"}, {"label": "Not yet", "description": "Tomorrow"}]}]
}'`,
  },
  {
    id: "claude",
    language: "bash",
    snippet: (url: string) => `# if Parley runs from a clone, once in its folder: npm link
# then, in the folder of your project; it shows what it changes, and asks:
PARLEY_URL=${url} parley connect claude-code

# then, in Claude Code: "Ask me whether to ship it."`,
  },
  {
    id: "mcp",
    language: "bash",
    snippet: (url: string) => `claude mcp add --transport http parley ${url}/mcp

# then, in the agent: "Ask me with ask_user_question whether to ship it."`,
  },
] as const;
type Way = (typeof WAYS)[number]["id"] | "demo";

/** Connects an agent: what to paste, and a live test that shows it arrived. */
export function Connect({ url, name }: { url: string; name: string }) {
  const t = useTranslations("connect");
  const [way, setWay] = useState<Way>("demo");
  const pasted = WAYS.find(({ id }) => id === way);
  // Claude Code uses its own name.
  const agent = way === "claude" ? "claude-code" : `${way}-${name}`;
  return (
    <div className="mx-auto max-w-3xl px-4 py-6 sm:px-6">
      <h1 className="text-lg font-semibold">{t("title")}</h1>
      <p className="mt-1 mb-6 text-muted">{t("about")}</p>
      <div role="tablist" aria-label={t("ways")} className="mb-6 flex flex-wrap gap-2">
        {(["demo", ...WAYS.map(({ id }) => id)] as const).map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            id={`way-${each}`}
            aria-selected={each === way}
            aria-controls="way-panel"
            className={`min-h-9 rounded-md border px-3 text-sm ${each === way ? "border-kind-ask bg-chosen text-accent" : "border-line text-muted hover:text-ink"}`}
            onClick={() => setWay(each)}
          >
            {t(`names.${each}`)}
          </button>
        ))}
      </div>
      <section id="way-panel" role="tabpanel" aria-labelledby={`way-${way}`} className="space-y-6">
        {!pasted ? (
          <div>
            <p className="mb-3">{t("demo")}</p>
            <StartDemo className="button-primary">{t("startDemo")}</StartDemo>
          </div>
        ) : (
          <div key={way}>
            <h2 className="mb-2 font-medium">{t("paste")}</h2>
            <CodeBlock>
              <code className={`language-${pasted.language}`}>{pasted.snippet(url, agent)}</code>
            </CodeBlock>
            <p className="mt-2 text-sm text-muted">
              {t("more")}{" "}
              <a className="link" href="/api/docs">
                {t("docs")}
              </a>
            </p>
          </div>
        )}
        <LiveTest
          key={agent}
          agent={agent}
          isPasted={pasted !== undefined}
          surface={way === "mcp" ? "mcp" : undefined}
        />
      </section>
    </div>
  );
}
