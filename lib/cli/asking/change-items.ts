import type { Client, Reply } from "../../client.ts";
import { stripControls } from "../../domain/clean-text.ts";
import type { InboxItem } from "../../protocol/inbox.ts";
import { CommandExit, EXIT, type Terminal } from "../terminal/terminal.ts";
import { everyOpenItem } from "./open-items.ts";

/** The open questions under these ids, which can be those of inbox items, asks or conversations. */
export async function itemsUnder(hub: Client, ids: string[]): Promise<InboxItem[]> {
  const open = await everyOpenItem(hub);
  const found = new Map<string, InboxItem>();
  for (const id of ids) {
    const matching = open.filter((item) => [item.inbox_item_id, item.tool_use_id, item.session_id].includes(id));
    const [item, ...others] = matching;
    if (!item) throw new CommandExit(EXIT.badInput, `Nothing is pending under ${id}.`);
    // Agents choose their own ids, so two conversations may use the same one.
    if (others.length > 0 && matching.some(({ tool_use_id }) => tool_use_id === id)) throw ambiguous(id, matching);
    for (const one of matching) found.set(one.inbox_item_id, one);
  }
  return [...found.values()];
}

function ambiguous(id: string, items: InboxItem[]): CommandExit {
  const lines = items.map(({ inbox_item_id, agent, title, question }) => {
    return `  ${inbox_item_id}   ${[agent, title ?? question].join(" · ")}`;
  });
  return new CommandExit(EXIT.badInput, [`${items.length} conversations have a question ${id}:`, ...lines].join("\n"));
}

/** Reports the result for each item, and whether all succeeded. */
export function tellResults(
  terminal: Terminal,
  items: InboxItem[],
  { results }: Reply<"claim"> | Reply<"snooze">,
  done: string,
): number {
  results.forEach((result, index) => {
    const { agent = "", question = "" } = items[index] ?? {};
    const about = `${stripControls(agent)} · ${stripControls(question)}`;
    terminal.say(result.success ? `${done}: ${about}` : `Not changed: ${about}. ${result.error.message}`);
  });
  return results.every(({ success }) => success) ? EXIT.answered : EXIT.badInput;
}
