import { type Client, ClientError, createClient } from "../../client.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { Mode } from "../../protocol/sign-in.ts";
import { bearer, type Caller, credentialFor } from "./credentials.ts";
import { hubUrl } from "./hub-url.ts";
import { notSignedIn, requirePerson, signInPerson } from "./sign-in.ts";
import type { Terminal } from "./terminal.ts";

/** What people who are not signed in can call. */
const FOR_ANYONE: ReadonlySet<string> = new Set(["me", "signOut", "startDevice", "pollDevice"]);

/** How long a reply may take, in addition to the requested wait. */
const REPLY_MS = 10_000;

/** The name of the person at this terminal. */
export function nameAt({ env }: Terminal): string | undefined {
  return env.PARLEY_NAME || env.USER;
}

/**
 * A client of Parley for the agents or the person at this terminal. Where people sign in, it sends the key of this machine, or
 * signs the person in when it must.
 */
export function createTerminalClient(terminal: Terminal, caller: Caller): Client {
  const plain = createPlainClient(terminal, caller);
  let isReady: Promise<void> | undefined;
  /** Where programs may ask without a key, nobody is refused: a person has to be asked who they are. */
  const ready = async (): Promise<void> => {
    if (caller !== "person" || credentialFor(terminal, caller)) return;
    const mode = await modeAt(plain);
    if (mode === "team") await requirePerson(terminal, plain);
  };
  const signedIn = async <Value>(call: () => Promise<Value>): Promise<Value> => {
    isReady ??= ready().catch((error) => {
      isReady = undefined;
      throw error;
    });
    await isReady;
    try {
      return await call();
    } catch (error) {
      if (needsProof(error) && terminal.interactive) {
        terminal.say("Parley asks who you are before it does this.");
        await signInPerson(terminal, plain);
        return call();
      }
      if (!isUnauthorized(error)) throw error;
      if (caller !== "person") throw notSignedIn(terminal, caller, error);
      await requirePerson(terminal, plain, error);
      return call();
    }
  };
  return {
    call: (id, options) => signedIn(() => plain.call(id, options)),
    fetch: (id, options) => signedIn(() => plain.fetch(id, options)),
  };
}

/** The same client, which leaves it to its caller what to do if nobody is signed in. */
export function createPlainClient(terminal: Terminal, caller: Caller): Client {
  const name = nameAt(terminal);
  const headers = { "x-parley-surface": "cli", ...(name && { "x-parley-name": encodeURIComponent(name) }) };
  const url = hubUrl(terminal);
  let proof = {};
  const client = createClient({ url, headers: () => ({ ...headers, ...proof }) });
  /** A tunnel whose other end is down accepts the connection and closes it; Node 20 then waits for the reply forever. */
  const inTime = async <Value>(
    { query, signal }: { query?: unknown; signal?: AbortSignal },
    call: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> => {
    // Here, where a file that cannot be read is not mistaken for a Parley that cannot be reached.
    proof = bearer(credentialFor(terminal, caller));
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
  const anonymous = createClient({ url, headers: () => headers });
  return {
    call: (id, options) =>
      inTime(options, async (signal) => {
        try {
          return await client.call(id, { ...options, signal });
        } catch (error) {
          // Parley refuses a key that no longer works everywhere, but signing in needs none.
          if (!FOR_ANYONE.has(id) || !isUnauthorized(error)) throw error;
          return anonymous.call(id, { ...options, signal });
        }
      }),
    // Only the start of a reply is timed; its body may take any time.
    fetch: (id, options) => inTime(options, (signal) => client.fetch(id, { ...options, signal })),
  };
}

/** Whether people sign in here. A Parley that does not know the question is older than sign-in. */
export async function modeAt(hub: Pick<Client, "call">): Promise<Mode> {
  try {
    return (await hub.call("me", {})).mode;
  } catch (error) {
    if (error instanceof ClientError && error.code === "not_found") return "open";
    throw error;
  }
}

/** Whether the person must prove again who they are, which a terminal does by signing in. */
function needsProof(error: unknown): boolean {
  return error instanceof ClientError && error.code === "confirm_required";
}

function isUnauthorized(error: unknown): error is ClientError {
  return error instanceof ClientError && error.code === "unauthorized";
}
