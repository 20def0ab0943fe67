import type { Client, ClientError } from "../../client.ts";
import { type Caller, credentialFor, ENVIRONMENT } from "./credentials.ts";
import { askForAccess } from "./device-flow.ts";
import { hubUrl } from "./hub-url.ts";
import { storeKeys } from "./keys-file.ts";
import { CommandExit, EXIT, type Terminal } from "./terminal.ts";
import { clockTime } from "./when.ts";

/** Explains why a command cannot continue, and what to do. */
export function notSignedIn(terminal: Terminal, caller: Caller, refusal?: ClientError): CommandExit {
  const url = hubUrl(terminal);
  const { reason } = refusal?.details ?? {};
  const from = credentialFor(terminal, caller)?.from;
  const login = caller === "person" ? "At a terminal, run: parley login --answer" : "Run: parley login";
  if ((reason === "setup" || reason === "strong_sign_in") && refusal)
    return new CommandExit(EXIT.notSignedIn, refusal.message);
  if (from === ENVIRONMENT)
    return new CommandExit(
      EXIT.notSignedIn,
      `PARLEY_KEY does not work at ${url}: it is wrong, has expired, or was revoked.`,
    );
  if (from === undefined)
    return new CommandExit(
      EXIT.notSignedIn,
      caller === "person" ? `This is for people who are signed in to ${url}. ${login}` : notYet(url, login),
    );
  return new CommandExit(
    EXIT.notSignedIn,
    caller === "person"
      ? `Your sign-in at ${url} has ended. ${login}`
      : `The key for ${url} does not work: it is wrong, has expired, or was revoked. ${login}`,
  );
}

const notYet = (url: string, login: string): string => `Not signed in to ${url}. ${login}, or set PARLEY_KEY.`;

/** Signs in the person at this terminal for 12 hours, with the help of a browser. An earlier sign-in there ends. */
export async function signInPerson(terminal: Terminal, hub: Pick<Client, "call">): Promise<void> {
  const { secret, name = "", expires_at } = await askForAccess(terminal, hub, { purpose: "terminal" });
  await hub.call("signOut", {}).catch(() => {});
  const until = expires_at ?? new Date().toISOString();
  storeKeys(terminal, hubUrl(terminal), { person: { token: secret, name, expires_at: until } });
  terminal.say(`Signed in as ${name}, until ${clockTime(until, Date.now())}.`);
}

/** Signs the person in if someone is at the terminal; otherwise explains what is missing. */
export async function requirePerson(terminal: Terminal, hub: Pick<Client, "call">, refusal?: ClientError) {
  const isGiven = credentialFor(terminal, "person")?.from === ENVIRONMENT;
  if (!terminal.interactive || isGiven || refusal?.details?.reason === "setup")
    throw notSignedIn(terminal, "person", refusal);
  await signInPerson(terminal, hub);
}
