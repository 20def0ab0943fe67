import { hubUrl } from "./hub-url.ts";
import { keysFile, storedKeys } from "./keys-file.ts";
import { CommandExit, EXIT, type Terminal } from "./terminal.ts";

/**
 * Who a command acts as. `agent`: with this machine's key, which cannot answer. `person`: as the person who signed in.
 * `either`: as whichever is available, to read.
 */
export type Caller = "agent" | "person" | "either";

/** A key or the token of a session, and where it was found. */
export type Credential = { secret: string; from: string };

/** What a command sends to prove who calls. PARLEY_KEY wins over what is stored; undefined if there is neither. */
export function credentialFor(terminal: Terminal, caller: Caller): Credential | undefined {
  const { agent, person } = storedKeys(terminal, hubUrl(terminal));
  const from = keysFile(terminal);
  const given = keyInEnvironment(terminal);
  // Claude Code gets the agent's key from the environment; someone who answers in the same shell is still a person.
  if (given && !(caller === "person" && isAgentKey(given.secret))) return given;
  const ofAgent = agent && { secret: agent.key, from };
  const ofPerson = person && { secret: person.token, from };
  if (caller === "either") return ofAgent ?? ofPerson;
  return caller === "agent" ? ofAgent : ofPerson;
}

export function isAgentKey(secret: string): boolean {
  return secret.startsWith("parley_agent_");
}

/** The header that carries it. */
export function bearer(credential: Credential | undefined): Record<string, string> {
  return credential ? { authorization: `Bearer ${credential.secret}` } : {};
}

function keyInEnvironment({ env }: Terminal): Credential | undefined {
  const secret = env.PARLEY_KEY?.trim();
  if (!secret) return undefined;
  if (!/^[\w-]+$/.test(secret)) throw new CommandExit(EXIT.notSignedIn, "PARLEY_KEY is not a Parley key.");
  return { secret, from: ENVIRONMENT };
}

export const ENVIRONMENT = "PARLEY_KEY";
