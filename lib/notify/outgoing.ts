import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from "request-filtering-agent";
import { SendError } from "./message.ts";

// Sends every request to an address that a person entered. Nobody must be able to make Parley call what only Parley can
// reach: private addresses are refused when connecting, so a name that changes its address gains nothing; redirects are not
// followed; and replies are never shown.

export type Outgoing = {
  post: (url: string, request: { headers: Record<string, string>; body: string | Buffer }) => Promise<void>;
};

export type OutgoingOptions = {
  /** Hosts that may be private: the administrator names them. */
  privateHosts: readonly string[];
  /** Certificates to trust besides the usual ones. */
  ca?: string | undefined;
  timeoutMs?: number;
  /** How names are looked up; by the system unless a test says otherwise. */
  lookup?: LookupFunction | undefined;
};

const TIMEOUT_MS = 10_000;
const LONGEST_WAIT_MS = 3_600_000;

export function createOutgoing({ privateHosts, ca, timeoutMs = TIMEOUT_MS, lookup }: OutgoingOptions): Outgoing {
  const net = lookup === undefined ? {} : { lookup };
  const tls = ca === undefined ? net : { ...net, ca };
  const guarded = { http: new RequestFilteringHttpAgent(net), https: new RequestFilteringHttpsAgent(tls) };
  const free = { http: new HttpAgent(net), https: new HttpsAgent(tls) };
  const allowed = new Set(privateHosts.map((host) => host.toLowerCase()));
  return {
    post: (address, { headers, body }) => {
      const url = new URL(address);
      const agents = allowed.has(url.hostname) || allowed.has(url.host) ? free : guarded;
      const isSecure = url.protocol === "https:";
      const start = isSecure ? httpsRequest : httpRequest;
      return new Promise((resolve, reject) => {
        let request: ClientRequest | undefined;
        const timer = setTimeout(() => {
          reject(new SendError(`${url.host} did not reply within ${timeoutMs / 1_000} seconds`));
          request?.destroy();
        }, timeoutMs);
        const end = (error?: Error) => {
          clearTimeout(timer);
          if (error) reject(error);
          else resolve();
          request?.destroy();
        };
        try {
          const length = String(Buffer.byteLength(body));
          request = start(url, {
            method: "POST",
            agent: isSecure ? agents.https : agents.http,
            headers: { ...headers, "content-length": length },
          });
          request.on("error", (error) => end(connectError(url, error)));
          request.on("response", (response) => {
            response.on("error", () => {});
            response.resume();
            end(refusal(url, response.statusCode ?? 0, response.headers["retry-after"]));
          });
          request.end(body);
        } catch (error) {
          end(connectError(url, error));
        }
      });
    },
  };
}

function refusal(url: URL, status: number, retryAfter: string | undefined): SendError | undefined {
  if (status >= 200 && status < 300) return undefined;
  const said = `${url.host} replied with status ${status}`;
  if (status === 404 || status === 410) return new SendError(said, "gone");
  if (status === 429 || status >= 500) return new SendError(said, "retry", retryAfterMs(retryAfter));
  if (status === 408 || status === 425) return new SendError(said);
  if (status >= 300 && status < 400) return new SendError(`${said}, and Parley does not follow redirects`, "never");
  return new SendError(said, "never");
}

/** Seconds or a date. Nobody can make us wait for days. */
function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), LONGEST_WAIT_MS) : undefined;
}

function connectError(url: URL, error: unknown): SendError {
  if (error instanceof SendError) return error;
  const { message = "", code } = error as { message?: string; code?: string };
  if (/is not allowed/i.test(message))
    return new SendError(
      `${url.hostname} is a private address. An admin can allow it with NOTIFY_PRIVATE_HOSTS.`,
      "never",
    );
  return new SendError(`${url.host} could not be reached (${code ?? "connection failed"})`);
}
