import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { altered } from "../disk/faults.ts";
import { createRandom } from "../kit/random.ts";
import { createRestClient, type Reply } from "../kit/rest-client.ts";
import { kindOf, type Report, type RunOptions, rounds, type Scenario } from "../kit/scenario.ts";
import { buildServer } from "../kit/server-program.ts";
import { CANARY, type CanaryRequest, canaryRequests, PASSWORD } from "./requests.ts";
import { spreadTeamSecrets } from "./team-secrets.ts";

/** The state of the storage during the requests: working, or broken in one of these ways. */
const FAULTS = { sqlite: ["", "full", "broken"], postgresql: ["", "full", "broken", "garbled"] } as const;
/** An error may quote this much of the caller's own input, so that they can find the place. */
const QUOTE_MOST = 400;
const TIMEOUT_MS = 60_000;

export const leak: Scenario = {
  name: "leak",
  about:
    "canaries in every field, header, path and query, and provoked errors: none in the log or in other replies (counts rounds)",
  size: { small: 1, whole: 1 },
  run: runLeak,
};

export async function runLeak(options: RunOptions): Promise<Report> {
  const { seed, log, env = {} } = options;
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
  /** Whatever may not be in the log. */
  const secrets = [CANARY, PASSWORD];
  const statuses = new Map<number, number>();
  let requests = 0;
  const send = async (request: CanaryRequest) => {
    const reply = await client.call(request.method, request.path, request.body, request.headers);
    requests++;
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
    const fault = faultOf(request, reply);
    if (fault) violations.push(fault);
    return reply;
  };
  try {
    for (const round of rounds(options)) {
      for (const state of FAULTS[kind]) {
        log(state === "" ? "a working store" : `a store that is ${state}`);
        writeFileSync(fault, "");
        const random = createRandom(seed).fork(`${round} ${state}`);
        await canaryRequests(random, send, () => writeFileSync(fault, state));
      }
      writeFileSync(fault, "");
      if (kind === "postgresql") {
        const away = altered("with allow_connections false", "with allow_connections true")(options.databaseUrl);
        await canaryRequests(createRandom(seed).fork(`${round} away`), send, async () => {
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
    log("the secrets of a team");
    const team = await spreadTeamSecrets(client, options.databaseUrl, () => writeFileSync(fault, "broken"));
    secrets.push(...team.secrets);
    violations.push(...team.violations);
    writeFileSync(fault, "");
  } finally {
    client.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const lines = server.output().split("\n");
  for (const line of lines) {
    const at = Math.max(...secrets.map((secret) => line.indexOf(secret)));
    if (at >= 0) violations.push(`in the log: …${line.slice(Math.max(0, at - 200), at + 100)}…`);
  }
  return {
    violations,
    figures: {
      requests,
      ...Object.fromEntries([...statuses].sort(([a], [b]) => a - b).map(([status, n]) => [`status ${status}`, n])),
      "lines of log": lines.length,
      "failures in the log": lines.filter((line) => line.includes("a request failed")).length,
    },
  };
}

/** Gives up quietly: if the expected line never comes, the log merely holds less to search. */
async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + TIMEOUT_MS; !holds() && Date.now() < end; ) await sleep(50);
}

/** Lists what a reply must not reveal: header values, other callers' input, anything at all in an internal error. */
function faultOf(
  { method, path, secrets, name, words }: CanaryRequest,
  { status, text, headers }: Reply,
): string | undefined {
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
