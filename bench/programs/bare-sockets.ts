// Bare Socket.IO with the same durable rows as the product:
// `bare-sockets.js <path of a database with the product's tables> <path of a JSON file with a real event and its values>`.
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { Server, type Socket } from "socket.io";
import { groupCommit } from "../bare/group-commit.ts";
import { readJson, reply, serve } from "../bare/http-server.ts";
import { productRows } from "../bare/product-rows.ts";
import { openLikeTheProduct } from "../bare/rows.ts";
import type { ProductValues } from "../parts/product-values.ts";

type AskBody = { session_id: string; tool_use_id: string };
type Answer = { conversation_id: string; question_id: string };
type Row = { sequence_num: number; content: string; metadata: string | null };

const PAGE = 200;
const [path = "", values = ""] = process.argv.slice(2);
const { event, ...like } = JSON.parse(readFileSync(values, "utf8")) as ProductValues & { event: object };
const db = openLikeTheProduct(path);
const store = groupCommit(productRows(db, like));
const page = db.prepare(
  "select * from message where conversation_id = ? and sequence_num > ? order by sequence_num limit ?",
);
const waiting = new Map<string, ServerResponse>();

const server = serve((req, res) => {
  readJson(req, (body) => ask(body as AskBody, res));
});
const io = new Server(server, { serveClient: false, perMessageDeflate: false });
io.on("connection", (socket) => {
  const session = String(socket.handshake.query.conversation_id);
  socket.join(session);
  socket.on("user.input_response", answer);
  replay(socket, session, 0);
});

function ask({ session_id: session, tool_use_id }: AskBody, res: ServerResponse): void {
  store({ kind: "ask", session, id: tool_use_id }, () => {
    waiting.set(tool_use_id, res);
    io.to(session).emit("assistant.request_input", { ...event, tool_use_id });
  });
}

function answer({ conversation_id: session, question_id: id }: Answer, acknowledge: (reply: object) => void): void {
  store({ kind: "answer", session, id }, () => {
    const res = waiting.get(id);
    waiting.delete(id);
    if (res) reply(res, 201, `{"success":true,"ask":{"tool_use_id":${JSON.stringify(id)},"status":"answered"}}`);
    io.to(session).emit("question.answered", { ...event, tool_use_id: id });
    acknowledge({ ok: true });
  });
}

/** Sends page by page, and yields to other work between pages. */
function replay(socket: Socket, session: string, after: number): void {
  const rows = page.all(session, after, PAGE) as Row[];
  const messages = rows.map((row) => ({
    ...row,
    content: JSON.parse(row.content),
    metadata: row.metadata && JSON.parse(row.metadata),
  }));
  const done = rows.length < PAGE;
  const last_sequence = rows.at(-1)?.sequence_num ?? after;
  socket.emit("message.replay", { messages, done, last_sequence });
  if (!done) setImmediate(replay, socket, session, last_sequence);
}
