import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const TEST_SETTINGS = {
  root: process.cwd(),
  development: false,
  hostname: "127.0.0.1",
  port: 0,
  version: "0.0.0",
  agents: [],
  gallery: false,
};

/** A loop that outlasts every test, but not for long a test run that was killed. */
export const ENDLESS = "for (const end = Date.now() + 120_000; Date.now() < end; );";

/**
 * A page process that is no Next: it replies with what it received, and misbehaves at some addresses. It follows the same
 * protocol: settings as its argument, a socket, `ready`, `ping` and `pong`.
 */
const PROGRAM = `
import { rmSync } from "node:fs";
import { createServer, request } from "node:http";

const { pagesSocket, hubSocket } = JSON.parse(process.argv[2]);
process.on("message", (message) => message === "ping" && process.send("pong"));
process.on("disconnect", () => process.exit());

const read = (path, headers) => new Promise((resolve, reject) => {
  request({ socketPath: hubSocket, path, headers }, async (reply) => {
    let text = "";
    for await (const chunk of reply) text += chunk;
    resolve({ status: reply.statusCode, body: JSON.parse(text) });
  }).on("error", reject).end();
});

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://pages");
  if (pathname === "/endless") { ${ENDLESS} }
  if (pathname === "/never") return;
  if (pathname === "/crash") process.exit(7);
  if (pathname === "/half") return void response.write("half", () => process.exit(7));
  response.setHeader("x-page", "yes");
  response.setHeader("x-frame-options", "ALLOWALL");
  response.setHeader("set-cookie", ["a=1", "b=2"]);
  if (pathname === "/hub") {
    const visitor = searchParams.has("as") ? searchParams.get("as") : request.headers["x-parley-visitor"];
    response.end(JSON.stringify(await read(searchParams.get("path"), { "x-parley-visitor": visitor })));
  } else response.end(JSON.stringify({ pid: process.pid, url: request.url, headers: request.headers }));
});
server.on("upgrade", (request, socket) => {
  socket.write("HTTP/1.1 101 Switching Protocols\\r\\nconnection: upgrade\\r\\nupgrade: echo\\r\\n\\r\\n");
  socket.write(JSON.stringify(request.headers) + "\\n");
  socket.pipe(socket);
});
rmSync(pagesSocket, { force: true });
server.listen(pagesSocket, () => process.send("ready"));
`;

/** Writes a program to its own folder. */
export function testProgram(text = PROGRAM): { program: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "parley-test-pages-"));
  const program = join(folder, "pages.mjs");
  writeFileSync(program, text);
  return { program, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
