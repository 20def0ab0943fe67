import { itemsUnder, tellResults } from "../asking/change-items.ts";
import { createTerminalClient } from "../terminal/hub-client.ts";
import { CommandExit, EXIT, type Run } from "../terminal/terminal.ts";

/** Releases claims, so that someone else can take over. */
export const run: Run = async (terminal, ids, { json }) => {
  if (ids.length === 0) throw new CommandExit(EXIT.badInput, "Usage: parley release ID...");
  const hub = createTerminalClient(terminal, "person");
  const items = await itemsUnder(hub, ids);
  const inbox_item_ids = items.map(({ inbox_item_id }) => inbox_item_id);
  const reply = await hub.call("release", { body: { inbox_item_ids } });
  if (json) terminal.print(`${JSON.stringify(reply.results)}\n`);
  return tellResults(terminal, items, reply, "Released");
};
