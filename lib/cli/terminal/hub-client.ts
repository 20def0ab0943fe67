import { type Client, ClientError, createClient } from "../../client.ts";
import { isJsonObject } from "../../domain/json.ts";
import { hubUrl, type Terminal } from "./terminal.ts";

/** How long a reply may take, in addition to the requested wait. */
const REPLY_MS = 10_000;

/** The name of the person at this terminal. */
export function nameAt({ env }: Terminal): string | undefined {
  return env.PARLEY_NAME || env.USER;
}

/** A client of Parley that acts as the person at this terminal. */
export function createTerminalClient(terminal: Terminal): Client {
  const name = nameAt(terminal);
  const headers = { "x-parley-surface": "cli", ...(name && { "x-parley-name": encodeURIComponent(name) }) };
  const url = hubUrl(terminal);
  const client = createClient({ url, headers: () => headers });
  /** A tunnel whose other end is down accepts the connection and closes it; Node 20 then waits for the reply forever. */
  const inTime = async <Value>(
    { query, signal }: { query?: unknown; signal?: AbortSignal },
    call: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> => {
    const wait = isJsonObject(query) && typeof query.wait === "number" ? query.wait : 0;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), wait * 1_000 + REPLY_MS);
    try {
      return await call(signal ? AbortSignal.any([signal, late.signal]) : late.signal);
    } catch (error) {
      if (!late.signal.aborted || signal?.aborted) throw error;
      throw new ClientError("unreachable", `Parley does not answer at ${url}.`);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    call: (id, options) => inTime(options, (signal) => client.call(id, { ...options, signal })),
    // Only the start of a reply is timed; its body may take any time.
    fetch: (id, options) => inTime(options, (signal) => client.fetch(id, { ...options, signal })),
  };
}

type Patience = { forMs: number; signal?: AbortSignal; onTrouble?: (error: Error) => void };

const MAX_PAUSE_MS = 5_000;
const TEMPORARY_ERRORS = ["unreachable", "storage_unavailable", "rate_limited"];

/** Retries a call while it fails for a temporary reason. `onTrouble` receives the first failure. */
export async function keepTrying<Reply>(call: () => Promise<Reply>, patience: Patience): Promise<Reply> {
  const { forMs, signal, onTrouble } = patience;
  const end = performance.now() + forMs;
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ClientError) || !TEMPORARY_ERRORS.includes(error.code) || performance.now() > end)
        throw error;
      if (pauseMs === 100) onTrouble?.(error);
    }
    // Random, so that waiting clients do not all retry at the same moment.
    await pause(Math.random() * pauseMs, signal);
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
    signal?.addEventListener("abort", done, { once: true });
  });
  signal?.throwIfAborted();
}
