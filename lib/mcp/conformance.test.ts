import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { type TestServer, testServer } from "../http/test-server.ts";
import { resolvingBy } from "../test-resolve.ts";

// The protocol's official test suite, run as a separate program against a running Parley. It covers the 2025 protocols;
// that of 2026 is covered by the clients in mcp.test.ts.

const require = createRequire(import.meta.url);
const SUITE = join(dirname(require.resolve("@modelcontextprotocol/conformance/package.json")), "dist/index.js");

/** With sessions: Parley where questions are shown in clients too, as the suite says of itself that it can. */
const APPLIED = {
  plain: ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"],
  sessions: ["server-initialize", "ping", "tools-list", "dns-rebinding-protection", "server-sse-multiple-streams"],
};

const FIXTURE = "calls a tool that only the suite's own server has";
const NOT_APPLIED: Record<string, string> = {
  "logging-set-level": "Parley does not declare logging: what there is to say to an agent is in its result",
  "completion-complete": "Parley does not declare completions: it has no prompts or resources to complete",
  "server-sse-polling": `${FIXTURE}; a stream that broke off is not resumed but the call made again, which asks once`,
  ...each("tools-call-", FIXTURE, [
    "simple-text",
    "image",
    "audio",
    "embedded-resource",
    "mixed-content",
    "with-logging",
    "error",
    "with-progress",
    "sampling",
    "elicitation",
  ]),
  "json-schema-2020-12": FIXTURE,
  "elicitation-sep1034-defaults": FIXTURE,
  "elicitation-sep1330-enums": FIXTURE,
  ...each("resources-", "Parley has no resources", [
    "list",
    "read-text",
    "read-binary",
    "templates-read",
    "subscribe",
    "unsubscribe",
  ]),
  ...each("prompts-", "Parley has no prompts", [
    "list",
    "get-simple",
    "get-with-args",
    "get-embedded-resource",
    "get-with-image",
  ]),
};

function each(prefix: string, reason: string, names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`${prefix}${name}`, reason]));
}

/** The suite imports `globSync`, for a command not used here, which Node 20 does not have: it is given an empty one. */
const FS = `data:text/javascript,export * from "node:fs"; export { default } from "node:fs"; export const globSync = () => [];`;
const WITH_FS = resolvingBy(`(name, context, next) =>
  name === "fs" && context.parentURL?.includes("/conformance/") ? { url: ${JSON.stringify(FS)}, shortCircuit: true } : next(name, context)`);

/** What it prints, whether or not all was well. */
async function suite(...args: string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, [...WITH_FS, SUITE, ...args], { timeout: 500_000 });
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  return `${stdout}\n${stderr}`;
}

test("every scenario of the suite runs, or there is a reason why not", async () => {
  const listed = [...(await suite("list", "--server")).matchAll(/^ +- ([\w-]+)/gm)].map(([, name = ""]) => name);
  expect(listed.length).toBeGreaterThan(30);
  expect([...APPLIED.sessions, ...Object.keys(NOT_APPLIED)].sort()).toEqual(listed.sort());
});

describe.each(["plain", "sessions"] as const)("the official suite, %s", (kind) => {
  let database: TestDatabase;
  let server: TestServer;
  beforeAll(async () => {
    database = await testDatabase("sqlite");
    server = await testServer(database.url, { elicitation: kind === "sessions" });
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
  });

  test.each(APPLIED[kind])("%s", async (scenario) => {
    const said = await suite("server", "--url", `${server.url}/mcp`, "--scenario", scenario);
    const [, passed = "0", all] = /^Passed: (\d+)\/(\d+), 0 failed, 0 warnings/m.exec(said) ?? [];
    expect(Number(passed), said).toBeGreaterThan(0);
    expect(passed, said).toBe(all);
    expect(server.errors).toEqual([]);
  });
});
