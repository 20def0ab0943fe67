import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { SECURITY_OF_DATA } from "./reply.ts";

/**
 * The port is taken before the database is touched, so requests may arrive before Parley can serve them: they wait until
 * the returned function passes them to the listeners of that time. Only /health answers at once, and says that Parley is starting.
 */
export function holdRequests(server: Server, version: string): () => void {
  const held: Array<[IncomingMessage, ServerResponse]> = [];
  let holding = true;
  const hold = (request: IncomingMessage, response: ServerResponse) => {
    if (!holding) return;
    if (request.url !== "/health") return void held.push([request, response]);
    response.writeHead(503, { ...SECURITY_OF_DATA, "content-type": "application/json", "retry-after": "1" });
    response.end(JSON.stringify({ status: "starting", version, database: "unknown", migrations: "unknown" }));
  };
  server.on("request", hold);
  return () => {
    // Engine.IO takes over all listeners that it finds: removing this one from the server would not be enough.
    holding = false;
    server.off("request", hold);
    setImmediate(() => {
      for (const [request, response] of held) if (!response.destroyed) server.emit("request", request, response);
    });
  };
}
