import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { altered } from "../disk/faults.ts";
import { createRestClient, type Reply } from "../kit/rest-client.ts";
import { createRandom, kindOf, type Report, type RunOptions, rounds, type Scenario } from "../kit/scenario.ts";
import { buildServer } from "../kit/server-program.ts";
import { CANARY, type Loaded, loadedRequests, PASSWORD } from "./requests.ts";

/** How the store is while the requests come: sound, or broken in one of these ways. */
const FAULTS = { sqlite: ["", "full", "broken"], postgresql: ["", "full", "broken", "garbled"] } as const;
/** Of a caller's own words an error may quote a piece, so that they find the place. */
const QUOTE_MOST = 400;
const PATIENCE_MS = 10_000;

export const leak: Scenario = {
  name: "leak",
  about:
    "canaries in every field, header, path and query, with errors provoked: none in the log, none told to others (rounds)",
  small: { times: 1 },
  run: (options) => runLeak(options),
};

/** `env` goes to the server: a test plants a bug with it, which this must find. */
export async function runLeak(options: RunOptions, env: Record<string, string> = {}): Promise<Report> {
  const { seed, log } = options;
  const kind = kindOf(options.databaseUrl);
  const databaseUrl = withPassword(options.databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), "parley-leak-"));
  const fault = join(folder, "fault");
  writeFileSync(fault, "");
  const program = await buildServer();
  const server = await program.start({
    databaseUrl,
    env: { LOG_LEVEL: "trace", ASK_MAX_DEPTH: "1000000", PARLEY_FAULT: fault, ...env },
  });
  const client = createRestClient(() => server.port);
  const violations: string[] = [];
  const statuses = new Map<number, number>();
  let requests = 0;
  const send = async (loaded: Loaded) => {
    const reply = await client.call(loaded.method, loaded.path, loaded.body, loaded.headers);
    requests++;
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
    const told = faultOf(loaded, reply);
    if (told) violations.push(told);
    return reply;
  };
  try {
    for (const round of rounds(options)) {
      for (const state of FAULTS[kind]) {
        log(state === "" ? "a sound store" : `a store that is ${state}`);
        writeFileSync(fault, "");
        const random = createRandom(seed).fork(`${round} ${state}`);
        await loadedRequests(random, send, () => writeFileSync(fault, state));
      }
      writeFileSync(fault, "");
      if (kind === "postgresql") {
        const away = altered("with allow_connections false", "with allow_connections true")(options.databaseUrl);
        await loadedRequests(createRandom(seed).fork(`${round} away`), send, async () => {
          const before = server.output().length;
          await away.begin(server.pid);
          await until(() => server.output().slice(before).includes("background work failed"));
        }).finally(away.end);
      }
    }
    for (const path of ["/metrics", "/health", "/api/openapi.json"]) {
      const { text } = await client.call("GET", path);
      if (text.includes(CANARY) || text.includes(PASSWORD)) violations.push(`${path} tells a secret`);
    }
  } finally {
    client.close();
    await server.stop();
    program.remove();
    rmSync(folder, { recursive: true, force: true });
  }
  const lines = server.output().split("\n");
  for (const line of lines) {
    const at = Math.max(line.indexOf(CANARY), line.indexOf(PASSWORD));
    if (at >= 0) violations.push(`in the log: …${line.slice(Math.max(0, at - 200), at + 100)}…`);
  }
  return {
    violations,
    figures: {
      requests,
      ...Object.fromEntries([...statuses].sort(([a], [b]) => a - b).map(([status, n]) => [`status ${status}`, n])),
      "lines of log": lines.length,
      "failures told in the log": lines.filter((line) => line.includes("a request failed")).length,
    },
  };
}

/** What is waited for need not happen: then the log holds less to look through. */
async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; !holds() && Date.now() < end; ) await sleep(50);
}

/** What a reply tells that it must not: what stood in a header, what another caller sent, anything in a failure of ours. */
function faultOf({ method, path, secrets, name, words }: Loaded, { status, text, headers }: Reply): string | undefined {
  const all = `${JSON.stringify(headers)}\n${text}`;
  const about = `${method} ${path.slice(0, 60)} (${name}) was answered with ${status} and`;
  for (const secret of [...secrets, PASSWORD]) if (all.includes(secret)) return `${about} a header that came with it`;
  if (status < 400) return undefined;
  const canaries = all.match(new RegExp(`${CANARY}-\\w+`, "g")) ?? [];
  const other = canaries.find((canary) => !words.includes(canary));
  if (other) return `${about} what another caller sent: ${text.slice(0, 300)}`;
  if (status >= 500 && canaries.length > 0) return `${about} what the caller sent: ${text.slice(0, 300)}`;
  if (canaries.length > 0 && text.length > QUOTE_MOST * 10) return `${about} ${text.length} characters`;
  return undefined;
}

function withPassword(databaseUrl: string): string {
  if (databaseUrl.startsWith("file:")) return databaseUrl;
  const url = new URL(databaseUrl);
  if (url.password === "") url.password = PASSWORD;
  return url.href;
}
