import type { Client } from "../../client.ts";
import { stripControls } from "../../domain/clean-text.ts";
import type { KeyView, NewKey } from "../../protocol/api-key.ts";
import { type Column, table } from "../terminal/columns.ts";
import { machineName } from "../terminal/device-flow.ts";
import { createTerminalClient } from "../terminal/hub-client.ts";
import { paintFor } from "../terminal/paint.ts";
import { CommandExit, EXIT, type Run, type Terminal, type Values } from "../terminal/terminal.ts";
import { age } from "../terminal/when.ts";

const USAGE = "Usage: parley keys [create (--agent NAME | --personal NAME) | revoke KEY_ID]";

/** Lists, creates and revokes API keys, as the person at this terminal. */
export const run: Run = async (terminal, [action, id, ...more], values) => {
  const hub = createTerminalClient(terminal, "person");
  const isCreate = action === "create" && id === undefined;
  if (action === undefined) return list(terminal, hub, values);
  if (isCreate) return create(terminal, hub, values);
  if (action !== "revoke" || id === undefined || more.length > 0) throw new CommandExit(EXIT.badInput, USAGE);
  const { key } = await hub.call("revokeKey", { params: { id } });
  terminal.say(`Revoked: ${key.name} (${key.hint}) no longer works.`);
  return EXIT.answered;
};

async function create(terminal: Terminal, hub: Client, values: Values): Promise<number> {
  const { agent, personal, name, space, days } = values;
  const expires_in_days = daysOf(days);
  let body: NewKey;
  if (typeof agent === "string" && personal === undefined) {
    const space_id = typeof space === "string" ? await spaceIdOf(hub, space) : undefined;
    const shown = typeof name === "string" ? name : `${agent} on ${machineName()}`;
    body = { kind: "agent", name: shown, agent, space_id, expires_in_days };
  } else if (typeof personal === "string" && agent === undefined)
    body = { kind: "personal", name: personal, expires_in_days };
  else throw new CommandExit(EXIT.badInput, USAGE);
  const { key, secret } = await hub.call("createKey", { body });
  const until = key.expires_at === null ? "It does not expire." : `It works until ${key.expires_at.slice(0, 10)}.`;
  const may = key.kind === "agent" ? "It can ask, and never answer." : "It acts as you: keep it from agents.";
  terminal.say(`${may} ${until} It is shown this once; set it as PARLEY_KEY where it is used:`);
  terminal.print(`${values.json ? JSON.stringify({ key, secret }) : secret}\n`);
  return EXIT.answered;
}

function daysOf(given: Values[string]): number | null | undefined {
  if (given === undefined) return undefined;
  if (given === "never") return null;
  const days = Number(given);
  if (Number.isInteger(days) && days > 0) return days;
  throw new CommandExit(EXIT.badInput, `--days ${given} is neither a number of days nor never.`);
}

async function spaceIdOf(hub: Client, wanted: string): Promise<string> {
  const { spaces } = await hub.call("listSpaces", {});
  const found = spaces.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted.toLowerCase());
  if (found) return found.id;
  const names = spaces.map(({ name }) => name).join(", ");
  throw new CommandExit(EXIT.badInput, `You cannot use a space named ${wanted}. Choose one of these: ${names}.`);
}

async function list(terminal: Terminal, hub: Client, { json }: Values): Promise<number> {
  const { keys } = await hub.call("listKeys", {});
  const { stdout } = terminal;
  if (json) terminal.print(`${JSON.stringify(keys)}\n`);
  else if (keys.length === 0) terminal.say("There are no keys. For this machine, run: parley login");
  else {
    const width = stdout.isTTY ? stdout.columns : undefined;
    terminal.print(`${table(columns(Date.now()), keys, width, paintFor(stdout)).join("\n")}\n`);
  }
  return EXIT.answered;
}

const columns = (now: number): Column<KeyView>[] => [
  {
    title: "State",
    text: (key) => stateOf(key, now),
    format: (key) => (stateOf(key, now) === "works" ? "green" : "dim"),
  },
  { title: "Kind", text: ({ kind }) => kind, from: 90 },
  { title: "Name", text: ({ name }) => stripControls(name), format: () => "bold", grows: true },
  {
    title: "Owner",
    text: ({ owner_name, responsible }) => stripControls(owner_name ?? responsible.map(({ name }) => name).join(", ")),
    grows: true,
    from: 90,
  },
  { title: "Used", text: ({ used_at }) => (used_at === null ? "never" : age(used_at, now)) },
  { title: "Ends", text: ({ hint }) => hint.slice(-4) },
  { title: "Key", text: ({ id }) => id },
];

function stateOf({ revoked_at, expires_at }: KeyView, now: number): string {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && Date.parse(expires_at) <= now ? "expired" : "works";
}
