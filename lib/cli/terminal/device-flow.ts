import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, ClientError, type Reply } from "../../client.ts";
import type { DeviceRequest } from "../../protocol/sign-in.ts";
import { keepTrying } from "./keep-trying.ts";
import { CommandExit, EXIT, type Terminal } from "./terminal.ts";

/** How long to try while Parley is away or asks to wait. */
const AWAY_MS = 60_000;

export type Allowed = Reply<"pollDevice"> & { secret: string };

/** The name of this machine, for the person who decides. */
export const machineName = (): string => hostname().slice(0, 100) || "a machine without a name";

/** Shows a code that a person enters in a browser, and waits until they have decided. */
export async function askForAccess(
  terminal: Terminal,
  hub: Pick<Client, "call">,
  request: Omit<DeviceRequest, "machine">,
): Promise<Allowed> {
  const body = { machine: machineName(), ...request };
  const started = await keepTrying(() => hub.call("startDevice", { body }), { forMs: AWAY_MS });
  const { device_code, user_code, url, interval_s } = started;
  terminal.say(`To let this ${SUBJECTS[request.purpose]} in, open ${url} and enter the code ${user_code}`);
  terminal.say("Waiting for approval. Press Ctrl-C to stop.");
  for (;;) {
    await sleep(interval_s * 1_000);
    const result = await keepTrying(() => hub.call("pollDevice", { body: { device_code } }), { forMs: AWAY_MS }).catch(
      expired,
    );
    const { status, secret } = result;
    if (status === "denied") throw new CommandExit(EXIT.notSignedIn, "Not signed in: the request was refused.");
    if (status === "allowed" && secret !== undefined) return { ...result, secret };
  }
}

const SUBJECTS = { agent: "machine", terminal: "terminal" };

function expired(error: unknown): never {
  if (error instanceof ClientError && error.code === "token_invalid")
    throw new CommandExit(
      EXIT.notSignedIn,
      "Not signed in: the code has expired. Run the command again to get a new one.",
    );
  throw error;
}
