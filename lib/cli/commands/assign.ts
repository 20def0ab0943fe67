import type { Client } from "../../client.ts";
import type { PersonView } from "../../protocol/people.ts";
import { itemsUnder, tellResults } from "../asking/change-items.ts";
import { createTerminalClient } from "../terminal/hub-client.ts";
import { CommandExit, EXIT, type Run } from "../terminal/terminal.ts";

/** Assigns questions to a person, or to nobody. */
export const run: Run = async (terminal, ids, { to, json }) => {
  if (ids.length === 0 || typeof to !== "string")
    throw new CommandExit(EXIT.badInput, "Usage: parley assign ID... --to (LOGIN | me | nobody)");
  const hub = createTerminalClient(terminal, "person");
  const person = to === "nobody" ? null : await personOf(hub, to);
  const items = await itemsUnder(hub, ids);
  const inbox_item_ids = items.map(({ inbox_item_id }) => inbox_item_id);
  const reply = await hub.call("assign", { body: { inbox_item_ids, person_id: person?.id ?? null } });
  if (json) terminal.print(`${JSON.stringify(reply.results)}\n`);
  return tellResults(terminal, items, reply, person ? `Assigned to ${person.name}` : "Assigned to nobody");
};

async function personOf(hub: Client, login: string): Promise<Pick<PersonView, "id" | "name">> {
  if (login === "me") {
    const { person } = await hub.call("me", {});
    if (person) return person;
  }
  const { people } = await hub.call("listPeople", {});
  const found = people.find((person) => person.login === login.trim().toLowerCase());
  if (found) return found;
  throw new CommandExit(EXIT.badInput, `Nobody signs in with ${login}. To see who does, run: parley people`);
}
