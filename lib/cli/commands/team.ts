import { existsSync } from "node:fs";
import { type AtTheMachine, atTheMachine } from "../../auth/at-the-machine.ts";
import { type Config, ConfigError, readConfig } from "../../config.ts";
import { OpenError, StorageError } from "../../db/errors.ts";
import { sqlitePath } from "../../db/place.ts";
import { isParleyError } from "../../protocol/errors.ts";
import { StrongSignIn } from "../../protocol/space.ts";
import { pickOnce } from "../asking/create-asker.ts";
import { nameAt } from "../terminal/hub-client.ts";
import { programRoot } from "../terminal/program-root.ts";
import { CommandExit, EXIT, type Run, type Terminal } from "../terminal/terminal.ts";

/**
 * Prints the link for the first account, or goes back to single-person use. Works on the database directly, alongside the
 * server.
 */
export const run: Run = async (terminal, args, { off, yes, json, agents, "strong-sign-in": strong }) => {
  const policy = StrongSignIn.optional().safeParse(strong);
  if (args.length > 0 || !policy.success || (agents !== undefined && agents !== "on" && agents !== "off"))
    throw new CommandExit(
      EXIT.badInput,
      "Usage: parley team [--agents on|off | --strong-sign-in off|admins|everyone | --off [--yes]]",
    );
  return onThisMachine(terminal, async (machine, config) => {
    if (agents !== undefined) return setAgents(terminal, machine, agents === "on");
    if (policy.data !== undefined) return setStrongSignIn(terminal, machine, policy.data);
    if (off) return end(terminal, machine, config, yes === true);
    if (machine.isTeam) {
      const active = machine.people.filter(({ status }) => status === "active").length;
      throw new CommandExit(
        EXIT.badInput,
        `${active === 1 ? "Someone has" : `${active} people have`} an account here already: sign in at ${addressOf(config)}. To reset a password, run: parley person reset LOGIN`,
      );
    }
    const url = await machine.setupLink();
    terminal.say("Open this link to create the first account. It works once, for 24 hours, while Parley is running:");
    terminal.print(`${json ? JSON.stringify({ url }) : url}\n`);
    return EXIT.answered;
  });
};

async function setAgents(terminal: Terminal, machine: AtTheMachine, isOn: boolean): Promise<number> {
  if (!machine.isTeam) throw new CommandExit(EXIT.badInput, "Nobody has an account here, so anyone may run agents.");
  await machine.set({ built_in_agents: isOn });
  terminal.say(
    isOn
      ? "Agents on this machine are on: the roles in CLAUDE_ALLOWED_ROLES can start them."
      : "Agents on this machine are off. Those that run are being stopped.",
  );
  return EXIT.answered;
}

const SIGN_IN: Record<StrongSignIn, string> = {
  off: "Everyone can sign in in any way again.",
  admins: "Admins must sign in with a passkey or the identity provider. Their other sessions can only add a passkey.",
  everyone: "Everyone must sign in with a passkey or the identity provider. Other sessions can only add a passkey.",
};

async function setStrongSignIn(terminal: Terminal, machine: AtTheMachine, strong_sign_in: StrongSignIn) {
  if (!machine.isTeam) throw new CommandExit(EXIT.badInput, "Nobody has an account here, so nobody signs in.");
  await machine.set({ strong_sign_in });
  terminal.say(SIGN_IN[strong_sign_in]);
  return EXIT.answered;
}

async function end(terminal: Terminal, machine: AtTheMachine, { auth }: Config, isSure: boolean): Promise<number> {
  if (!machine.isTeam) {
    terminal.say("Nobody has an account here, so there is nothing to turn off.");
    return EXIT.answered;
  }
  if (!isSure) await confirmed(terminal, auth.isReachable);
  await machine.endTeam();
  terminal.say(
    auth.isReachable
      ? "All accounts are disabled. Others can reach this Parley, so it serves nobody until there is a first account again."
      : "All accounts are disabled: anyone on this machine can answer again without signing in.",
  );
  terminal.say("Accounts, keys, spaces and the record are kept. To turn sign-in on again, run: parley team");
  return EXIT.answered;
}

async function confirmed(terminal: Terminal, isReachable: boolean): Promise<void> {
  if (!terminal.interactive)
    throw new CommandExit(
      EXIT.badInput,
      "Nothing was changed: there is no terminal to confirm in. Run it again with --yes.",
    );
  terminal.say(
    isReachable
      ? "This disables all accounts and keys and signs everyone out. Parley then serves nobody."
      : "This disables all accounts and signs everyone out. Anyone on this machine can then answer.",
  );
  const choices = [
    { value: "no", label: "Keep the team" },
    { value: "yes", label: "Disable all accounts" },
  ];
  if ((await pickOnce(terminal, "Use Parley alone again?", choices)) !== "yes")
    throw new CommandExit(EXIT.cancelled, "Nothing was changed.");
}

/** Where people open Parley. */
function addressOf({ publicUrl, tls, port }: Config): string {
  return (publicUrl ?? `${tls ? "https" : "http"}://localhost:${port}`).replace(/\/$/, "");
}

/** Works on the database directly, which anyone with access to it may do. A server can be running. */
export async function onThisMachine(
  terminal: Terminal,
  work: (machine: AtTheMachine, config: Config) => Promise<number>,
): Promise<number> {
  try {
    const root = programRoot();
    const config = readConfig(root);
    const place = { url: config.databaseUrl, root };
    await refuseOlder(place);
    // Loaded here, so that an invalid setting is reported immediately.
    const { openDatabase } = await import("../../db/database.ts");
    const db = await openDatabase(place);
    try {
      const { isReachable } = config.auth;
      const options = { db, publicUrl: addressOf(config), isReachable, name: nameAt(terminal) };
      return await work(await atTheMachine(options), config);
    } finally {
      await db.close();
    }
  } catch (error) {
    const isExpected = [ConfigError, OpenError, StorageError].some((kind) => error instanceof kind);
    if (error instanceof Error && (isExpected || isParleyError(error)))
      throw new CommandExit(EXIT.badInput, error.message);
    throw error;
  }
}

/** Opening a database brings it up to date, which must not happen under a server of an older version. */
async function refuseOlder(place: { url: string; root: string }): Promise<void> {
  const isNew = place.url.startsWith("file:") && !existsSync(sqlitePath(place.url, place.root));
  if (isNew) return;
  const { withSnapshot } = await import("../../db/snapshot.ts");
  await withSnapshot(place, async () => {});
}
