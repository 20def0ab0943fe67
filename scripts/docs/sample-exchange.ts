import { createDemo } from "../../lib/agents/demo/demo.ts";
import { testServer } from "../../lib/http/test-server.ts";
import { byAgent } from "../../lib/hub/test-hub.ts";
import type { ClientCommand, Envelope } from "../../lib/protocol/events.ts";
import { TestClient } from "../../lib/realtime/test-client.ts";

/** Connect, replay, send a message, be asked, answer, complete, drop, reconnect: the recorded exchange by line. */
export async function recordExchange(databaseUrl: string): Promise<string> {
  const server = await testServer(databaseUrl, { agents: [createDemo({ wordsPerSecond: 100_000 })] });
  const lines: string[] = [];
  try {
    const conversation_id = await server.hub.createConversation(byAgent(), { agent: "demo", title: "A sample" });
    const client = await connect(server.url, { conversation_id, name: "ann" }, lines);
    await client.until(({ type }) => type === "message.replay");
    await send(client, lines, "user.message", { conversation_id, text: "port" });
    const asked = await client.until(({ type }) => type === "assistant.request_input");
    const response = { conversation_id, question_id: String(asked.payload.question_id), answer: "8080" };
    await send(client, lines, "user.input_response", response);
    await client.until(({ type }) => type === "assistant.complete");
    received(client.envelopes, lines);
    const { last } = client;
    client.close();
    lines.push("   (the connection drops; someone asks in the meantime)");
    await server.hub.sendMessage(
      { ...byAgent(), actor: { ...byAgent().actor, rights: ["answer"] } },
      conversation_id,
      "fail",
    );
    await settled(server, conversation_id);
    const again = await connect(server.url, { conversation_id, last_sequence: String(last) }, lines);
    await again.until(({ type, payload }) => type === "message.replay" && payload.done === true);
    received(again.envelopes, lines);
    again.close();
    return renamed(lines.join("\n"));
  } finally {
    await server.stop();
  }
}

async function connect(url: string, query: Record<string, string>, lines: string[]): Promise<TestClient> {
  lines.push(`→ connect ?protocol=v2&${new URLSearchParams(query)}`);
  return new TestClient(url, query).connected();
}

async function send(
  client: TestClient,
  lines: string[],
  command: ClientCommand,
  input: Record<string, unknown>,
): Promise<void> {
  received(client.envelopes.splice(0), lines);
  lines.push(`→ ${command} ${JSON.stringify(input)}`);
  lines.push(`← acknowledged ${JSON.stringify(await client.send(command, input))}`);
}

/** States repeat and deltas are many, so only the first of each is shown. */
function received(envelopes: Envelope[], lines: string[]): void {
  for (const { type, turn_id, payload, sequence } of envelopes) {
    if (type === "conversation.state" && sequence > 1) continue;
    if (payload.delta !== undefined && payload.offset !== 0) continue;
    lines.push(`← ${type} ${JSON.stringify({ turn_id, payload: short(payload) })}`);
  }
}

function short(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return value.length > 60 ? `${value.slice(0, 57)}…` : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return depth > 1 ? `(${value.length})` : value.map((item) => short(item, depth + 1));
  if (depth > 2) return "…";
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === "duration_ms" ? 0 : short(item, depth + 1)]),
  );
}

/** Replaces ids and times, so that every run gives the same text. */
function renamed(text: string): string {
  const names = new Map<string, string>();
  const name = (found: string, kind: string) => {
    const known = names.get(found) ?? `${kind}${[...names.values()].filter((one) => one.startsWith(kind)).length + 1}`;
    names.set(found, known);
    return known;
  };
  return text
    .replace(/\b(ses|turn|ask|inb|cmd|toolu)_[0-9a-z]{20,}/g, (found, kind: string) => name(found, `${kind}_`))
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (found) => name(found, "uuid_"))
    .replace(/\b[0-9a-f]{57}…/g, "(a hash)")
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "2026-01-01T00:00:00.000Z");
}

async function settled(server: Awaited<ReturnType<typeof testServer>>, session_id: string): Promise<void> {
  for (;;) {
    const { status } = await server.hub.readState(byAgent(), session_id);
    if (status === "active") return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
