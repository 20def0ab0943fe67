import type { Client } from "../../client.ts";
import { stripControls } from "../../domain/clean-text.ts";
import type { KeyView, NewKey } from "../../protocol/api-key.ts";
import { type Column, table } from "../terminal/columns.ts";
import { machineName } from "../terminal/device-flow.ts";
import { createTerminalClient } from "../terminal/hub-client.ts";
import { paintFor } from "../terminal/paint.ts";
import { CommandExit, EXIT, type Run, type Terminal, type Values } from "../terminal/terminal.ts";
import { age } from "../terminal/when.ts";

const USAGE = "Usage: parley keys [create (--agent NAME | --personal NAME) | change KEY_ID | revoke KEY_ID]";

/** Lists, creates, changes and revokes API keys, as the person at this terminal. */
export const run: Run = async (terminal, [action, id, ...more], values) => {
  const hub = createTerminalClient(terminal, "person");
  const isCreate = action === "create" && id === undefined;
  if (action === undefined) return list(terminal, hub, values);
  if (isCreate) return create(terminal, hub, values);
  if (action === "change" && id !== undefined && more.length === 0) return change(terminal, hub, id, values);
  if (action !== "revoke" || id === undefined || more.length > 0) throw new CommandExit(EXIT.badInput, USAGE);
  const { key } = await hub.call("revokeKey", { params: { id } });
  terminal.say(`Revoked: ${key.name} (${key.hint}) no longer works.`);
  return EXIT.answered;
};

async function change(terminal: Terminal, hub: Client, id: string, { report, people }: Values): Promise<number> {
  const can_report = reportOf(report);
  const ids = await peopleOf(hub, people);
  if (can_report === undefined && ids === undefined)
    throw new CommandExit(EXIT.badInput, "Say what to change: --report on|off or --people LOGINS.");
  const [owner_id] = ids ?? [];
  const body = { can_report, ...(ids?.length === 1 ? { owner_id } : ids && { responsible: ids }) };
  const { key } = await hub.call("updateKey", { params: { id }, body });
  terminal.say(`Changed: ${key.name} (${key.hint}) belongs to ${ownersOf(key)}. ${mayOf(key)}`);
  return EXIT.answered;
}

async function create(terminal: Terminal, hub: Client, values: Values): Promise<number> {
  const { agent, personal, name, space, days } = values;
  const expires_in_days = daysOf(days);
  let body: NewKey;
  if (typeof agent === "string" && personal === undefined) {
    const space_id = typeof space === "string" ? await spaceIdOf(hub, space) : undefined;
    const shown = typeof name === "string" ? name : `${agent} on ${machineName()}`;
    const [can_report, responsible] = [reportOf(values.report), await peopleOf(hub, values.people)];
    body = { kind: "agent", name: shown, agent, space_id, can_report, responsible, expires_in_days };
  } else if (typeof personal === "string" && agent === undefined)
    body = { kind: "personal", name: personal, expires_in_days };
  else throw new CommandExit(EXIT.badInput, USAGE);
  const { key, secret } = await hub.call("createKey", { body });
  const until = key.expires_at === null ? "It does not expire." : `It works until ${key.expires_at.slice(0, 10)}.`;
  terminal.say(`${mayOf(key)} ${until} It is shown this once; set it as PARLEY_KEY where it is used:`);
  terminal.print(`${values.json ? JSON.stringify({ key, secret }) : secret}\n`);
  return EXIT.answered;
}

function mayOf({ kind, can_report }: KeyView): string {
  if (kind === "personal") return "It acts as you: keep it from agents.";
  return can_report
    ? "It can ask, and report what a person decided in the agent's own terminal. It cannot answer."
    : "It can ask, and cannot answer.";
}

function ownersOf({ owner_name, responsible }: KeyView): string {
  return stripControls(owner_name ?? responsible.map(({ name }) => name).join(", "));
}

function reportOf(given: Values[string]): boolean | undefined {
  if (given === undefined) return undefined;
  if (given === "on" || given === "off") return given === "on";
  throw new CommandExit(EXIT.badInput, "--report is on or off.");
}

async function peopleOf(hub: Client, given: Values[string]): Promise<string[] | undefined> {
  if (typeof given !== "string") return undefined;
  const { people } = await hub.call("listPeople", {});
  return given.split(",").map((part) => {
    const login = part.trim().toLowerCase();
    const person = people.find((one) => one.login === login);
    if (!person) throw new CommandExit(EXIT.badInput, `Nobody here signs in as ${login}.`);
    return person.id;
  });
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
  { title: "Owner", text: ownersOf, grows: true, from: 90 },
  { title: "Reports", text: ({ can_report }) => (can_report ? "yes" : ""), from: 90 },
  { title: "Used", text: ({ used_at }) => (used_at === null ? "never" : age(used_at, now)) },
  { title: "Ends", text: ({ hint }) => hint.slice(-4) },
  { title: "Key", text: ({ id }) => id },
];

function stateOf({ revoked_at, expires_at }: KeyView, now: number): string {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && Date.parse(expires_at) <= now ? "expired" : "works";
}
