import { Hono } from "hono";
import { readInput } from "../domain/read-input.ts";
import type { Hub } from "../hub/hub.ts";
import { OPERATIONS } from "../protocol/operations.ts";
import { eventStream, type Watch } from "./event-stream.ts";
import { localActor } from "./local-actor.ts";

/** The operations that reply with a stream. */
export function createStreams(hub: Hub, watch: Watch, clock: () => number): Hono {
  const app = new Hono();
  app.get(routeOf(OPERATIONS.events.path), (c) =>
    eventStream(c, readInput(OPERATIONS.events.params, c.req.param()).id, watch),
  );
  app.get(routeOf(OPERATIONS.exportSession.path), async (c) => {
    const { id } = readInput(OPERATIONS.exportSession.params, c.req.param());
    const call = { actor: localActor(c.req.header()), now: clock() };
    const lines = await hub.exportSession(call, id);
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
        "content-disposition": `attachment; filename="${id.replace(/\W/g, "_")}.jsonl"`,
      },
    });
  });
  return app;
}

function routeOf(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}
