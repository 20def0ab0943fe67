import { stripControls } from "../../domain/clean-text.ts";
import type { PersonView } from "../../protocol/people.ts";
import { type Column, table } from "../terminal/columns.ts";
import { createTerminalClient } from "../terminal/hub-client.ts";
import { paintFor } from "../terminal/paint.ts";
import { EXIT, type Run } from "../terminal/terminal.ts";
import { age, clockTime } from "../terminal/when.ts";

/** Lists the people of this Parley. */
export const run: Run = async (terminal, _args, { json }) => {
  const { people } = await createTerminalClient(terminal, "person").call("listPeople", {});
  const { stdout } = terminal;
  if (json) terminal.print(`${JSON.stringify(people)}\n`);
  else if (people.length === 0) terminal.say("Nobody has an account here. To create the first one, run: parley team");
  else {
    const width = stdout.isTTY ? stdout.columns : undefined;
    terminal.print(`${table(columns(Date.now()), people, width, paintFor(stdout)).join("\n")}\n`);
  }
  return EXIT.answered;
};

const columns = (now: number): Column<PersonView>[] => [
  { title: "Name", text: ({ name }) => stripControls(name), format: () => "bold", grows: true },
  { title: "Login", text: ({ login }) => stripControls(login), grows: true },
  { title: "Role", text: ({ role }) => role },
  { title: "Active", text: ({ active_at }) => (active_at === null ? "" : age(active_at, now)) },
  { title: "", text: (person) => noteOf(person, now), format: () => "dim" },
];

function noteOf({ status, out_of_office_until: until }: PersonView, now: number): string {
  if (status === "disabled") return "disabled";
  return until !== null && Date.parse(until) > now ? `away until ${clockTime(until, now)}` : "";
}
