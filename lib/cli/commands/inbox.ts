import { inboxTable } from "../asking/inbox-table.ts";
import { openItems } from "../asking/open-items.ts";
import { similar } from "../asking/similar.ts";
import { createTerminalClient } from "../terminal/hub-client.ts";
import { paintFor } from "../terminal/paint.ts";
import { EXIT, type Run } from "../terminal/terminal.ts";

/** Lists what waits for an answer, most urgent first. */
export const run: Run = async (terminal, _args, { agent, search, json }) => {
  const hub = createTerminalClient(terminal, "person");
  const items = await openItems(hub, {
    ...(typeof agent === "string" && { agent }),
    ...(typeof search === "string" && { q: search }),
  });
  const { stdout } = terminal;
  if (json) terminal.print(`${JSON.stringify(items)}\n`);
  else if (items.length === 0) terminal.say(agent || search ? "No open question matches." : "Nothing is pending.");
  else {
    // In a pipe every question has its own line, with its id.
    const groups = stdout.isTTY ? await similar(hub, items) : items.map((item) => ({ first: item, items: [item] }));
    const width = stdout.isTTY ? stdout.columns : undefined;
    const lines = inboxTable(groups, Date.now(), { width, paint: paintFor(stdout), ids: true });
    terminal.print(`${lines.join("\n")}\n`);
    terminal.say(
      `${items.length === 1 ? "1 question is" : `${items.length} questions are`} open. Answer with: parley answer`,
    );
  }
  return EXIT.answered;
};
