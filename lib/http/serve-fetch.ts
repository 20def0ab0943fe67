import type { IncomingMessage } from "node:http";
import { readBody } from "./read-body.ts";
import { pipe, SECURITY_OF_DATA } from "./reply.ts";
import type { Serve } from "./router.ts";

/** Serves requests with a function of the Fetch API. */
export function serveFetch(
  fetch: (request: Request, from: IncomingMessage) => Promise<Response>,
  maxBytes: number,
): Serve {
  return async ({ req, res }) => {
    const gone = new AbortController();
    res.once("close", () => res.writableFinished || gone.abort());
    const response = await fetch(await requestOf(req, maxBytes, gone.signal), req);
    res.writeHead(response.status, { ...SECURITY_OF_DATA, ...Object.fromEntries(response.headers) });
    // The first event of a stream may come much later.
    res.flushHeaders();
    if (response.body) await pipe(chunksOf(response.body), res);
    else res.end();
  };
}

/** Cancels the stream if the reader leaves early. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

/** Reads the body to the end, because a connection with unread bytes cannot be reused. */
async function requestOf(req: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Request> {
  const { method = "GET", url = "/", headers } = req;
  const body = method === "GET" || method === "HEAD" ? null : String(await readBody(req, maxBytes));
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  return new Request(`http://${headers.host}${url}`, { method, headers: fields, body, signal });
}
