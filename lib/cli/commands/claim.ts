import { itemsUnder, tellResults } from "../asking/change-items.ts";
import { createTerminalClient } from "../terminal/hub-client.ts";
import { CommandExit, EXIT, type Run } from "../terminal/terminal.ts";

/** Claims questions, so that colleagues see who is on them. */
export const run: Run = async (terminal, ids, values) => {
  if (ids.length === 0) throw new CommandExit(EXIT.badInput, "Usage: parley claim ID... [--take-over]");
  const hub = createTerminalClient(terminal, "person");
  const items = await itemsUnder(hub, ids);
  const inbox_item_ids = items.map(({ inbox_item_id }) => inbox_item_id);
  const take_over = values["take-over"] === true;
  const reply = await hub.call("claim", { body: { inbox_item_ids, take_over } });
  if (values.json) terminal.print(`${JSON.stringify(reply.results)}\n`);
  return tellResults(terminal, items, reply, "Claimed");
};
