import { setTimeout as sleep } from "node:timers/promises";
import { OPERATIONS } from "../../../lib/protocol/operations.ts";
import { BODIES } from "../fuzz/bodies.ts";
import { faultOf, mcpFault } from "../fuzz/judge.ts";
import { bodyText, mutated } from "../fuzz/mutate.ts";
import { goneBy, startFuzzTarget, statusFigures } from "../fuzz/target.ts";
import { type McpMessage, mcpMessage } from "../kit/mcp-message.ts";
import { createRandom, type Random } from "../kit/random.ts";
import { createRestClient, type Reply, type RestClient } from "../kit/rest-client.ts";
import { type Report, type RunOptions, rounds, type Scenario } from "../kit/scenario.ts";

/** Many, because some of them wait for as long as this scenario waits for anything. */
const AT_ONCE = 48;
const MAX_VIOLATIONS = 30;
const TIMEOUT_MS = 60_000;
const SWEEP_MS = 100;

export const fuzzMcp: Scenario = {
  name: "fuzz-mcp",
  about: "hostile MCP messages, old and new protocol: never a 5xx or a crash, always a valid reply (counts messages)",
  size: { small: 1_500, whole: 20_000 },
  run: runFuzzMcp,
};

async function runFuzzMcp(options: RunOptions): Promise<Report> {
  const { seed, databaseUrl, log, env = {} } = options;
  const settings = { ASK_DEFAULT_TIMEOUT_S: "0.02", ASK_MAX_DEPTH: "1000000", MCP_ELICITATION: "true" };
  const target = await startFuzzTarget(databaseUrl, { ...settings, ...env });
  const { server } = target;
  const client = createRestClient(() => server.port, TIMEOUT_MS);
  const violations: string[] = [];
  const statuses = new Map<number, number>();
  const figures = { messages: 0, accepted: 0, "cancelled meanwhile": 0 };

  const one = async (random: Random, session: string): Promise<string | undefined> => {
    const { body, headers } = honest(random, session);
    const request = { method: "POST", path: "/mcp", body: random.chance(0.05) ? [body, body] : body, headers };
    const spoilt = random.chance(0.2) ? request : mutated(random, request);
    const text = bodyText(spoilt) ?? "";
    const about = `${JSON.stringify(spoilt.headers).slice(0, 300)} ${text.slice(0, 600)}`;
    // Paths have their own scenario, and GET streams are refused.
    const sent = { ...spoilt.headers, "content-length": String(Buffer.byteLength(text)) };
    const reply = await client.call(spoilt.method, "/mcp", text, sent).catch((error: Error) => error);
    if (reply instanceof Error) {
      const isEarly = text.length > 1024 * 1024 || ("reused" in reply && reply.reused === true);
      return isEarly ? undefined : `${reply.message}\n    after ${about}`;
    }
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
    if (reply.status < 300) figures.accepted++;
    const fault = judged(spoilt.method, reply);
    return fault && `${fault}\n    after ${about}`;
  };

  try {
    const made = await client.call("POST", "/api/sessions", {});
    const { session_id } = OPERATIONS.createSession.response.parse(made.body);
    const numbers = rounds(options);
    const worker = async () => {
      for (const number of numbers) {
        const fault = await one(createRandom(seed).fork(number), session_id);
        figures.messages++;
        if (fault) violations.push(`message ${number}: ${fault}`);
        if (violations.length >= MAX_VIOLATIONS || target.isGone()) return;
        if (figures.messages % 1_000 === 0) target.residentMiB();
        if (figures.messages % 5_000 === 0) log(`${figures.messages} messages, ${violations.length} violations`);
      }
    };
    let isOver = false;
    const sweeping = (async () => {
      for (; !isOver; await sleep(SWEEP_MS)) figures["cancelled meanwhile"] += await cancelOpen(client);
    })();
    await Promise.all(Array.from({ length: AT_ONCE }, worker)).finally(() => {
      isOver = true;
    });
    await sweeping;
    const alive = await client.call("GET", "/health");
    if (alive.status !== 200) violations.push(`/health says ${alive.text}`);
    const heap = await target.heap();
    Object.assign(figures, { "heap MiB at the end": Math.round(heap / 2 ** 20) });
  } catch (error) {
    violations.push(goneBy(error, target));
  } finally {
    client.close();
    violations.push(...(await target.stop()));
  }
  return {
    violations,
    figures: { ...figures, ...statusFigures(statuses), "largest resident MiB": target.residentMiB() },
  };
}

/** Settles open asks: one whose deadline was mutated away would keep its caller waiting. */
async function cancelOpen(client: RestClient): Promise<number> {
  const { body } = await client.call("GET", "/api/inbox?limit=200");
  const { items } = OPERATIONS.inbox.response.parse(body);
  // Its own deadline may come first.
  for (const { session_id, tool_use_id } of items)
    await client.call("POST", "/api/task/cancel", { session_id, tool_use_id, reason: "nobody will answer it" });
  return items.length;
}

/** A message as a correct client sends it, before mutation. */
function honest(random: Random, session: string): McpMessage {
  const target = { session_id: session, tool_use_id: `tu_${random.id(1)}` };
  const { wait: _, timeout_s: __, ...ask } = BODIES.ask(random, { session, ask: undefined, target });
  const [name, input] = random.pick([
    [random.pick(["ask_user_question", "AskUserQuestion", "request_user_input", "question"]), ask] as const,
    ["ask_user_question", ask] as const,
    ["get_answer", target] as const,
    ["wait_for_answer", target] as const,
    ["cancel_question", { ...target, reason: "no" }] as const,
    ["list_skills", {}] as const,
  ]);
  const method = random.pick(["tools/call", "tools/call", "tools/call", "tools/list", "initialize", "server/discover"]);
  const meta = random.chance(0.3) ? { "claudecode/toolUseId": `toolu_${random.id(3)}` } : {};
  const call = method === "tools/call" ? { call: { name, arguments: input } } : {};
  const message = mcpMessage(random, { id: random.int(5), method, meta, ...call });
  if (method !== "initialize") return message;
  const capabilities = random.chance(0.5) ? { elicitation: {} } : {};
  const hello = { protocolVersion: "2025-11-25", clientInfo: { name: "chaos", version: "1" }, capabilities };
  return { ...message, body: { ...message.body, params: hello } };
}

/** Refusals that come before a message is read have the shape of the REST API. */
function judged(method: string, { status, text }: Reply): string | undefined {
  if (status >= 500) return `${status}: ${text.slice(0, 300)}`;
  const fault = mcpFault(status, text);
  return status >= 400 && fault && !faultOf({ method, path: "/mcp", status, text }) ? undefined : fault;
}
