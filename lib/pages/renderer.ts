// The page process: Next behind a private socket. It keeps nothing, so the main process may kill it at any time.
import { rmSync } from "node:fs";
import { createServer, maxHeaderSize } from "node:http";
import { followMainProcess } from "./lifeline.ts";
import { pageSettings } from "./settings.ts";

const { root, development, hostname, port, folder, pagesSocket } = pageSettings();
process.title = "parley-pages";
followMainProcess(folder);
// A terminal or a service manager signals all processes; the main process ends this one after its last reply.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.on("message", (message) => message === "ping" && process.send?.("pong"));

// Loaded late, because it takes half a second and the main process may end in that time.
const { default: next } = await import("next");
// The main process adds headers to those that it accepts.
const server = createServer({ maxHeaderSize: 2 * maxHeaderSize });
const app = next({ dev: development, dir: root, hostname, port, httpServer: server, quiet: !development });
await app.prepare();
const handle = app.getRequestHandler();
server.on("request", (request, response) => {
  handle(request, response).catch((error) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    response.destroy();
  });
});
// A page process that was killed leaves its socket behind.
rmSync(pagesSocket, { force: true });
server.listen(pagesSocket, () => process.send?.("ready"));
