// Writes docs/protocol.md: the socket protocol, with tables from the contract and a sample exchange recorded
// from a real run. `--check` writes nothing and fails if the page is out of date.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { z } from "zod";
import { ERRORS } from "../../lib/protocol/errors.ts";
import { ClientCommands, EnvelopeFields, type ServerEventType } from "../../lib/protocol/events.ts";
import { recordExchange } from "./sample-exchange.ts";

const FILE = "docs/protocol.md";

const SERVER_EVENTS: Record<ServerEventType, string> = {
  "conversation.state":
    "on subscribing and on every change: status, rounds, queue, all open asks, the unfinished block",
  "message.replay": "the messages after `last_sequence`, in pages of at most 200 and about 256 KiB; `done` on the last",
  "user.message": "a person said something",
  "assistant.chunk": "text: `delta` at `offset` while it streams, then once whole",
  "assistant.thinking": "likewise for thinking",
  "assistant.tool_call": "the agent uses a tool",
  "assistant.tool_result": "what came of it",
  "assistant.request_input": "the agent asks",
  "question.answered": "an answer, with who and where; `ask.status` is `pending` while more is needed",
  "question.cancelled": "cancelled, with the reason",
  "question.timeout": "the deadline has passed",
  "question.reopened": "open again",
  "assistant.complete": "the turn is over",
  "session.system_event": "something about the conversation: closed, depth limit, …",
  "conversation.interrupted": "the agent was stopped",
  error: "the turn failed, or the subscription of the handshake did",
  "inbox.changed": "to who subscribed to the inbox: an item opened or closed",
};

const folder = await mkdtemp(join(tmpdir(), "parley-protocol-"));
try {
  const page = pageOf(await recordExchange(`file:${join(folder, "parley.db")}`));
  const before = await readFile(FILE, "utf8").catch(() => "");
  if (process.argv[2] === "--check") {
    if (before !== page) console.error(`${FILE} is not up to date: run npm run protocol`);
    process.exitCode = before === page ? 0 : 1;
  } else if (before !== page) {
    await writeFile(FILE, page);
    console.log(`wrote ${FILE}`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit();

function pageOf(sample: string): string {
  const fields = Object.entries(EnvelopeFields.shape).map(
    ([name, field]) => `| \`${name}\` | ${field.description ?? ""} |`,
  );
  const events = Object.entries(SERVER_EVENTS).map(([type, about]) => `| \`${type}\` | ${about} |`);
  const commands = Object.entries(ClientCommands).map(([name, schema]) => `| \`${name}\` | \`{${inputOf(schema)}}\` |`);
  const errors = Object.entries(ERRORS).map(([code, { socket, http }]) => `| \`${socket}\` | \`${code}\` | ${http} |`);
  return `# Socket protocol v2

Made by \`npm run protocol\` from the contract in \`lib/protocol\` and from a real run; do not edit it by hand.

Socket.IO at \`/socket.io\`, with the query \`protocol=v2\`, and if you like \`conversation_id\` and \`last_sequence\` to
subscribe at once, \`name\` to say who you are, \`dialect=user_question\` for the older form of questions.

## The envelope

Every event from the server is one Socket.IO event whose name is the envelope's \`type\`.

| field | |
|---|---|
${fields.join("\n")}

Every durable message is announced live by exactly one envelope, which carries it. A client that finds a gap in
\`message_sequence\` subscribes again from what it has; one that was away for a second or a week ends with the same thread.

## From the server

| type | when |
|---|---|
${events.join("\n")}

## From the client

Each is acknowledged with \`{ok: true, …}\` or \`{ok: false, error: {code, message, details?}}\`. \`?\` may be left out.

| command | input |
|---|---|
${commands.join("\n")}

\`GET /api/sessions/{id}/events\` carries the same envelopes as server-sent events; \`Last-Event-ID\` goes on after a message.

## Errors

| socket | REST | HTTP |
|---|---|---|
${errors.join("\n")}

A connection that is refused (another protocol, sockets turned off, too many sockets) fails with \`connect_error\`, whose
\`data\` is \`{code, message}\`; Socket.IO does not try again by itself then. A page of another origin gets no connection at
all: its handshake is answered with 403.

## A sample exchange

Recorded from a real run with the demo agent; ids and times are replaced, repeated states left out, long values cut.
\`→\` is what the client sends, \`←\` what it gets.

\`\`\`
${sample}
\`\`\`
`;
}

function inputOf(schema: z.ZodObject): string {
  return Object.entries(schema.shape)
    .map(([name, field]) => `${name}${field.safeParse(undefined).success ? "?" : ""}`)
    .join(", ");
}
