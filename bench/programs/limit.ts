// The job with HTTP only (L1), or with the fewest durable rows (L2): `limit.js none | file:<path> | postgresql://…`.
import type { ServerResponse } from "node:http";
import { readJson, reply, serve } from "../bare/http-server.ts";
import { inPostgres, inSqlite, nowhere, type Store } from "../bare/rows.ts";

type AskBody = { session_id: string; tool_use_id: string };
type Answer = { question_id: string; answer: string };
type KnownAsk = { answer: string | undefined; waiting: ServerResponse | undefined };

const asks = new Map<string, KnownAsk>();
let sessions = 0;

const store = await storeOf(process.argv[2] ?? "none");
serve((req, res) => {
  const url = req.url ?? "";
  if (req.method === "GET") return wait(url.slice("/api/asks/".length, url.indexOf("?")), res);
  readJson(req, (body, text) => {
    if (url === "/api/asks") return ask(body as AskBody, text, res);
    if (url === "/api/task/answer") return answer(body as Answer, res);
    reply(res, 201, `{"success":true,"session_id":"ses_${++sessions}"}`);
  });
});

function ask({ session_id, tool_use_id }: AskBody, body: string, res: ServerResponse): void {
  store({ kind: "question", id: tool_use_id, conversation: session_id, body }, () => {
    asks.set(tool_use_id, { answer: undefined, waiting: undefined });
    reply(res, 201, `{"success":true,"ask":{"tool_use_id":${JSON.stringify(tool_use_id)},"status":"pending"}}`);
  });
}

function answer({ question_id, answer: value }: Answer, res: ServerResponse): void {
  store({ kind: "answer", id: question_id, value }, () => {
    const ask = asks.get(question_id);
    if (ask?.waiting) settle(question_id, value, ask.waiting);
    else if (ask) ask.answer = value;
    reply(res, 200, '{"success":true}');
  });
}

function wait(id: string, res: ServerResponse): void {
  const ask = asks.get(id);
  if (ask?.answer !== undefined) settle(id, ask.answer, res);
  else if (ask) ask.waiting = res;
  else reply(res, 404, '{"success":false}');
}

function settle(id: string, value: string, res: ServerResponse): void {
  asks.delete(id);
  reply(
    res,
    200,
    `{"success":true,"ask":{"tool_use_id":${JSON.stringify(id)},"status":"answered","answer":${JSON.stringify(value)}}}`,
  );
}

async function storeOf(where: string): Promise<Store> {
  if (where === "none") return nowhere;
  return where.startsWith("file:") ? inSqlite(where.slice("file:".length)) : inPostgres(where);
}
