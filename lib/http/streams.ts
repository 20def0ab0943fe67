import type { ServerResponse } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import { readInput } from "../domain/read-input.ts";
import type { Hub } from "../hub/hub.ts";
import { OPERATIONS } from "../protocol/operations.ts";
import { EVENT_STREAM_HEADERS, sendEvents, type Watch } from "./event-stream.ts";
import { localActor } from "./local-actor.ts";

/** The operations that reply with a stream. */
export function createStreams(hub: Hub, watch: Watch, clock: () => number): Hono {
  const app = new Hono();
  app.get(routeOf(OPERATIONS.events.path), async (c) => {
    const { id } = readInput(OPERATIONS.events.params, c.req.param());
    const call = { actor: localActor(c.req.header()), now: clock() };
    if (c.req.raw.method === "HEAD") {
      await hub.readState(call, id);
      return new Response(null, { headers: EVENT_STREAM_HEADERS });
    }
    const from = Number(c.req.header("last-event-id"));
    // Node's own response reports when the reader is slow and when it has left.
    await sendEvents(
      (c.env as HttpBindings).outgoing as ServerResponse,
      call,
      id,
      Number.isSafeInteger(from) && from > 0 ? from : 0,
      watch,
    );
    return RESPONSE_ALREADY_SENT;
  });
  app.get(routeOf(OPERATIONS.exportSession.path), async (c) => {
    const { id } = readInput(OPERATIONS.exportSession.params, c.req.param());
    const call = { actor: localActor(c.req.header()), now: clock() };
    const { file, lines } = await hub.exportConversation(call, id);
    const encoder = new TextEncoder();
    const stream = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { done, value } = await lines.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
    });
    return new Response(stream, {
      headers: {
        "content-type": "application/x-ndjson",
        "content-disposition": `attachment; filename="${file}"`,
      },
    });
  });
  return app;
}

function routeOf(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}
