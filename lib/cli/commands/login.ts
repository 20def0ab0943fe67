import type { Me } from "../../protocol/sign-in.ts";
import { credentialFor, ENVIRONMENT } from "../terminal/credentials.ts";
import { askForAccess, machineName } from "../terminal/device-flow.ts";
import { createPlainClient } from "../terminal/hub-client.ts";
import { atHub, hubAddress, hubUrl, isUnencrypted } from "../terminal/hub-url.ts";
import { keysFile, storeKeys } from "../terminal/keys-file.ts";
import { signInPerson } from "../terminal/sign-in.ts";
import { CommandExit, EXIT, type Run, type Terminal } from "../terminal/terminal.ts";

const USAGE = "Usage: parley login [URL] [--agent NAME | --answer]";

/** Gets a key for the agents on this machine, or signs in the person at this terminal. */
export const run: Run = async (terminal, [given, ...more], { agent, answer }) => {
  if (more.length > 0 || (answer && agent !== undefined)) throw new CommandExit(EXIT.badInput, USAGE);
  const here = atHub(terminal, given === undefined ? hubUrl(terminal) : hubAddress(given));
  const url = hubUrl(here);
  const caller = answer ? "person" : "agent";
  const hub = createPlainClient(here, caller);
  const me = await hub.call("me", {});
  if (me.mode === "open") {
    terminal.say(`Nobody has an account at ${url}, so no sign-in is needed.`);
    return EXIT.answered;
  }
  if (me.mode === "setup")
    throw new CommandExit(
      EXIT.notSignedIn,
      `Nobody has an account at ${url} yet. For the first one, run this on its machine: parley team`,
    );
  if (isUnencrypted(url)) terminal.say(`The connection to ${url} is not encrypted: others could read the key.`);
  if (credentialFor(here, caller)?.from === ENVIRONMENT)
    terminal.say("PARLEY_KEY is set, and overrides the stored key.");
  else if (!answer && hasKey(terminal, url, me, agent)) return EXIT.answered;
  if (answer) await signInPerson(here, hub);
  else await signInMachine(here, hub, typeof agent === "string" ? agent : machineName());
  return EXIT.answered;
};

async function signInMachine(
  terminal: Terminal,
  hub: ReturnType<typeof createPlainClient>,
  agent: string,
): Promise<void> {
  const { secret, name = agent } = await askForAccess(terminal, hub, { purpose: "agent", agent });
  storeKeys(terminal, hubUrl(terminal), { agent: { key: secret, name } });
  terminal.say(`Agents on this machine now ask as ${name}. Their key is in ${keysFile(terminal)}`);
  terminal.say("It can ask, and report what you decide in the agent's own terminal. It cannot answer.");
  terminal.say("To let Claude Code use it, run: parley connect claude-code");
}

/** Another key would leave the first one behind, which nobody then remembers to revoke. */
function hasKey(terminal: Terminal, url: string, { key }: Me, agent: unknown): boolean {
  if (!key || (agent !== undefined && agent !== key.agent)) return false;
  terminal.say(
    `This machine is already signed in to ${url} as ${key.agent}. To get another key, first run: parley logout`,
  );
  return true;
}
