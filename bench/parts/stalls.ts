import type { DatabaseKind } from "../../scripts/throwaway/database.ts";
import type { Bench } from "../bench.ts";
import { type MeasuredServer, PROBED } from "../measured-server.ts";
import type { Line } from "../table.ts";
import { seeded } from "./search.ts";

/** Beyond this, other clients notice that the thread was blocked. */
const STALL_MS = 50;
/** The best of several tries: a busy machine makes a stall longer, never shorter. */
const TRIES = 3;

type Case = { name: string; run: () => Promise<unknown> };

/** How long one request blocks all others, at the largest allowed sizes. */
export async function stalls(bench: Bench, kind: DatabaseKind): Promise<Line[]> {
  const { settled, longLife } = bench.options;
  const database = await seeded(bench, kind, settled);
  const server = await bench.startProduct(database, PROBED);
  try {
    const lines: Line[] = [];
    for (const { name, run } of await casesOf(server, settled, longLife)) {
      await run();
      const times: number[] = [];
      for (let tries = 0; tries < TRIES; tries++) times.push(await server.longestStall(async () => void (await run())));
      const best = Math.max(0, Math.min(...times));
      lines.push({
        figure: `${name}: longest stall`,
        kind,
        product: `${best.toFixed(0)} ms`,
        against: `best of ${TRIES}`,
        target: { value: best, atMost: STALL_MS, unit: " ms" },
      });
      bench.say(`${name}: ${times.map((time) => time.toFixed(0)).join(", ")} ms`);
    }
    return lines;
  } finally {
    await bench.stopServers();
  }
}

async function casesOf(server: MeasuredServer, settled: number, rounds: number): Promise<Case[]> {
  const url = `http://localhost:${server.port}`;
  const get = async (path: string) => {
    const response = await fetch(url + path);
    if (response.status !== 200) throw new Error(`GET ${path} was answered with ${response.status}`);
    await response.arrayBuffer();
  };
  const post = async (path: string, body: unknown, status: number) => {
    const isLines = typeof body === "string";
    const response = await fetch(url + path, {
      method: "POST",
      headers: { "content-type": isLines ? "application/x-ndjson" : "application/json" },
      body: isLines ? body : JSON.stringify(body),
    });
    if (response.status !== status) throw new Error(`POST ${path} was answered with ${response.status}`);
    return (await response.json()) as { session_id: string; ask: { session_id: string } };
  };
  const bringIn = (lines: object[]) =>
    post("/api/sessions/import", lines.map((one) => JSON.stringify(one)).join("\n"), 201);

  const { ask } = await post("/api/asks", { question: "What does the log say?", tool_use_id: "t" }, 201);
  const answer = (size: number) => ({ session_id: ask.session_id, question_id: "t", answer: "a".repeat(size) });
  const hostile = await bringIn(Array.from({ length: 20 }, () => says("*a_".repeat(30_000))));
  const long = await bringIn(Array.from({ length: rounds }, (_, nth) => roundOf(nth)).flat());
  const honest = Array.from({ length: 19_000 }, (_, nth) => says(`${nth} Größe ${"word ".repeat(300)}`));
  const about = `in a conversation of ${rounds} rounds`;
  const among = `among ${settled} settled items`;
  return [
    { name: "an answer of 1,000,000 letters", run: () => post("/api/task/answer", answer(1_000_000), 400) },
    { name: "a question of 1,000,000 letters", run: () => post("/api/asks", { question: "a".repeat(1_000_000) }, 400) },
    {
      name: "8 answers of 125,000 letters in one body",
      run: () => post("/api/task/answers", { answers: Array.from({ length: 8 }, () => answer(125_000)) }, 200),
    },
    {
      name: "a body of 1 MiB, half a million numbers",
      run: () => post("/api/asks", { question: "q", metadata: { numbers: Array(500_000).fill(1) } }, 400),
    },
    {
      name: "a body of 1 MiB, one text",
      run: () => post("/api/asks", { question: "q", metadata: { text: "Größe ".repeat(125_000) } }, 201),
    },
    { name: "a page of 20 hostile markdown texts of 90 kB", run: () => get(`/conversations/${hostile.session_id}`) },
    { name: "an import of 100,000 short lines", run: () => bringIn(Array(100_000).fill({ type: "a" })) },
    { name: "an import of 30 MB", run: () => bringIn(honest) },
    { name: `a search that finds nothing ${among}`, run: () => get("/api/inbox?status=closed&q=zebra") },
    { name: `a search that finds all ${among}`, run: () => get("/api/inbox?status=closed&q=database") },
    { name: `all facets ${among}`, run: () => get("/api/inbox?status=closed&facets=true") },
    { name: `insights ${among}`, run: () => get("/api/insights?from=2020-01-01T00:00:00Z") },
    { name: `an agent that is not there ${among}`, run: () => get("/api/inbox?status=closed&agent=nobody") },
    { name: `GET session ${about}`, run: () => get(`/api/sessions/${long.session_id}`) },
    { name: `the page ${about}`, run: () => get(`/conversations/${long.session_id}`) },
    { name: `export ${about}`, run: () => get(`/api/sessions/${long.session_id}/export`) },
    { name: `the audit ${about}`, run: () => get(`/api/audit?session_id=${long.session_id}`) },
    {
      name: `continue ${about}`,
      run: () => post(`/api/sessions/${long.session_id}/rounds/${Math.ceil(rounds / 2)}/continue`, {}, 201),
    },
  ];
}

function says(text: string): object {
  return { type: "assistant", message: { role: "assistant", content: [{ type: "text", text }] } };
}

function roundOf(nth: number): object[] {
  const question = {
    question: `Which step is number ${nth}?`,
    header: "Step",
    options: [{ label: "A" }, { label: "B" }],
  };
  const call = { type: "tool_use", id: `t${nth}`, name: "AskUserQuestion", input: { questions: [question] } };
  return [
    { type: "assistant", message: { role: "assistant", content: [call] } },
    {
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: `t${nth}`, content: "A" }] },
      toolUseResult: { answers: { [question.question]: "A" } },
    },
  ];
}
