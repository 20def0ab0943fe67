import type { AtTheMachine } from "../../auth/at-the-machine.ts";
import { stripControls } from "../../domain/clean-text.ts";
import { type Column, table } from "../terminal/columns.ts";
import { paintFor } from "../terminal/paint.ts";
import { CommandExit, EXIT, type Run, type Terminal } from "../terminal/terminal.ts";
import { age, clockTime } from "../terminal/when.ts";
import { onThisMachine } from "./team.ts";

const USAGE = "Usage: parley person (list | reset LOGIN | admin LOGIN)";

/** Helps people who cannot sign in. Works on the database directly, alongside the server. */
export const run: Run = async (terminal, [action, login, ...more], { json }) => {
  const isList = action === "list" && login === undefined;
  const isOne = (action === "reset" || action === "admin") && login !== undefined && more.length === 0;
  if (!isList && !isOne) throw new CommandExit(EXIT.badInput, USAGE);
  return onThisMachine(terminal, (machine) => {
    if (isList || login === undefined) return list(terminal, machine, json === true);
    return action === "reset" ? reset(terminal, machine, login, json === true) : makeAdmin(terminal, machine, login);
  });
};

async function reset(terminal: Terminal, machine: AtTheMachine, login: string, json: boolean): Promise<number> {
  const person = activePerson(machine, login);
  const { url, expires_at } = await machine.resetLink(person);
  const until = clockTime(expires_at, Date.now());
  terminal.say(`With this link, ${person.name} can set a new password. It works once, until ${until}:`);
  terminal.print(`${json ? JSON.stringify({ url, expires_at }) : url}\n`);
  return EXIT.answered;
}

async function makeAdmin(terminal: Terminal, machine: AtTheMachine, login: string): Promise<number> {
  const person = activePerson(machine, login);
  if (person.role !== "admin") await machine.makeAdmin(person);
  terminal.say(person.role === "admin" ? `${person.name} is an admin already.` : `${person.name} is now an admin.`);
  return EXIT.answered;
}

async function list(terminal: Terminal, { people }: AtTheMachine, json: boolean): Promise<number> {
  const { stdout } = terminal;
  const rows = people.map(({ id, name, login, role, status, active_at }) => {
    return { id, name, login, role, status, active_at: active_at === null ? null : new Date(active_at).toISOString() };
  });
  if (json) terminal.print(`${JSON.stringify(rows)}\n`);
  else if (rows.length === 0) terminal.say("Nobody has an account here. To create the first one, run: parley team");
  else {
    const width = stdout.isTTY ? stdout.columns : undefined;
    terminal.print(`${table(columns(Date.now()), rows, width, paintFor(stdout)).join("\n")}\n`);
  }
  return EXIT.answered;
}

type Row = { name: string; login: string; role: string; status: string; active_at: string | null };

const columns = (now: number): Column<Row>[] => [
  { title: "Name", text: ({ name }) => stripControls(name), format: () => "bold", grows: true },
  { title: "Login", text: ({ login }) => stripControls(login), grows: true },
  { title: "Role", text: ({ role }) => role },
  { title: "Status", text: ({ status }) => status, format: ({ status }) => (status === "active" ? undefined : "dim") },
  { title: "Active", text: ({ active_at }) => (active_at === null ? "" : age(active_at, now)) },
];

function activePerson({ personByLogin, isTeam }: AtTheMachine, login: string) {
  const person = personByLogin(login);
  if (person?.status === "active") return person;
  if (!isTeam)
    throw new CommandExit(EXIT.badInput, "Nobody can sign in here. To create the first account, run: parley team");
  throw new CommandExit(
    EXIT.badInput,
    person
      ? `${person.name} is disabled. An admin can let them in again, under People.`
      : `Nobody here signs in with ${login}. To see who does, run: parley person list`,
  );
}
