import { ClientError } from "../../client.ts";
import { createPlainClient } from "../terminal/hub-client.ts";
import { atHub, hubAddress, hubUrl } from "../terminal/hub-url.ts";
import { forgetKeys, storedKeys } from "../terminal/keys-file.ts";
import { EXIT, type Run, type Terminal } from "../terminal/terminal.ts";

/** Forgets what is stored for a Parley, and ends the session of the person there. */
export const run: Run = async (terminal, [given]) => {
  const url = given === undefined ? hubUrl(terminal) : hubAddress(given);
  const { PARLEY_KEY, ...env } = terminal.env;
  const here = atHub({ ...terminal, env }, url);
  const { agent, person } = storedKeys(terminal, url);
  if (!agent && !person) {
    terminal.say(`Nothing is stored for ${url}.`);
    if (PARLEY_KEY) terminal.say("PARLEY_KEY is still set and in use.");
    return EXIT.answered;
  }
  const keyId = agent && (await idOfKey(here));
  const hasEnded = !person || (await endSession(here));
  forgetKeys(terminal, url);
  terminal.say(`Signed out of ${url}.`);
  if (!hasEnded) terminal.say("Parley could not be reached, so your session there ends 12 hours after you signed in.");
  if (keyId) terminal.say(`This machine's key still works elsewhere. To revoke it, run: parley keys revoke ${keyId}`);
  if (PARLEY_KEY) terminal.say("PARLEY_KEY is still set and in use.");
  return EXIT.answered;
};

/** Undefined if it does not work any more, or cannot be found out. */
async function idOfKey(terminal: Terminal): Promise<string | undefined> {
  const me = await createPlainClient(terminal, "agent").call("me", {}).catch(unreachable);
  return me?.key?.id;
}

async function endSession(terminal: Terminal): Promise<boolean> {
  return (await createPlainClient(terminal, "person").call("signOut", {}).catch(unreachable)) !== undefined;
}

function unreachable(error: unknown): undefined {
  if (!(error instanceof ClientError)) throw error;
}
