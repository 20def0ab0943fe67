import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../client.ts";
import { stripControls } from "../../domain/clean-text.ts";
import type { InboxItem } from "../../protocol/inbox.ts";
import { openItems } from "../asking/open-items.ts";
import { createTerminalClient, keepTrying } from "../terminal/hub-client.ts";
import { shellWord } from "../terminal/shell-word.ts";
import type { Run } from "../terminal/terminal.ts";

/** Polls, because the live inbox needs Socket.IO, whose client takes longer to load than this pause. */
const EVERY_MS = 1_000;

/** Shows questions as they arrive and how they end, until stopped. */
export const run: Run = async (terminal, _args, { json }) => {
  const hub = createTerminalClient(terminal);
  const print = (item: InboxItem) => terminal.print(`${json ? JSON.stringify(item) : line(item)}\n`);
  // Being unreachable is an error at the start, and temporary later.
  let open = new Map<string, InboxItem>();
  let forMs = 0;
  for (;;) {
    const onTrouble = (error: Error) => terminal.say(`${error.message} Trying again.`);
    const items = await keepTrying(() => openItems(hub), { forMs, onTrouble });
    forMs = Number.POSITIVE_INFINITY;
    const now = new Map(items.map((item) => [item.inbox_item_id, item]));
    for (const [id, item] of now) if (!open.has(id)) print(item);
    for (const [id, item] of open) {
      if (now.has(id)) continue;
      const end = await keepTrying(() => settled(hub, item), { forMs, onTrouble });
      if (end) print(end);
      else now.set(id, item);
    }
    open = now;
    await sleep(EVERY_MS);
  }
};

/** How the question ended, or undefined if it is open again. */
async function settled(hub: Client, item: InboxItem): Promise<InboxItem | undefined> {
  const { tool_use_id, session_id } = item;
  const { ask } = await hub.call("readAsk", { params: { tool_use_id }, query: { session_id } });
  const { result, decided_at } = ask;
  if (!result) return undefined;
  const { outcome, decided_by } = result;
  return { ...item, status: "closed", closed_at: decided_at, settled: { outcome, decided_by } };
}

function line({ agent, title, round, header, question, tool_use_id, settled: end }: InboxItem): string {
  const about = [agent, title, `round ${round}`, header, question].filter((text) => text);
  const what = about.map((text) => stripControls(text ?? "")).join(" · ");
  return end
    ? `✓ ${what} — ${end.outcome} by ${stripControls(end.decided_by.name)}`
    : `● ${what} — parley answer ${shellWord(tool_use_id)}`;
}
