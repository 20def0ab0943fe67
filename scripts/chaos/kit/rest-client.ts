import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { type ErrorCode, ErrorEnvelope } from "../../../lib/protocol/errors.ts";

export type Reply = { status: number; headers: IncomingHttpHeaders; text: string; body: unknown };

export type RestClient = {
  /**
   * Rejects if the connection broke, when the outcome of the request is unknown. The error has `reused` set if the
   * connection was a reused one, which a server may close between two requests.
   */
  call: (method: string, path: string, body?: unknown, headers?: OutgoingHttpHeaders) => Promise<Reply>;
  close: () => void;
};

/** A client with keep-alive connections, as agents have. It calls `port` every time: a restart may change it. */
export function createRestClient(port: () => number, timeoutMs = 120_000): RestClient {
  const agent = new Agent({ keepAlive: true });
  const call = (method: string, path: string, body?: unknown, headers: OutgoingHttpHeaders = {}) =>
    new Promise<Reply>((resolve, reject) => {
      const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
      const outgoing = request(
        {
          agent,
          host: "127.0.0.1",
          port: port(),
          method,
          path,
          timeout: timeoutMs,
          headers: {
            ...(text !== undefined && {
              "content-type": "application/json",
              "content-length": Buffer.byteLength(text),
            }),
            ...headers,
          },
        },
        (incoming) => {
          const parts: Buffer[] = [];
          incoming.on("data", (part: Buffer) => parts.push(part));
          incoming.on("error", reject);
          incoming.on("end", () => {
            const received = Buffer.concat(parts).toString("utf8");
            const { statusCode = 0, headers: got } = incoming;
            resolve({ status: statusCode, headers: got, text: received, body: parsed(received) });
          });
        },
      );
      outgoing.on("timeout", () => outgoing.destroy(new Error(`no reply to ${method} ${path} in ${timeoutMs} ms`)));
      outgoing.on("error", (error) => reject(Object.assign(error, { reused: outgoing.reusedSocket })));
      outgoing.end(text);
    });
  return { call, close: () => agent.destroy() };
}

/** The code of an error envelope, or undefined if the reply is none. */
export function errorCode({ body }: Pick<Reply, "body">): ErrorCode | undefined {
  return ErrorEnvelope.safeParse(body).data?.error.code;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
