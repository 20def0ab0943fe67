import type { Client } from "../../client.ts";
import { stripControls } from "../../domain/clean-text.ts";
import type { InboxItem } from "../../protocol/inbox.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { CommandExit, EXIT, type Terminal } from "../terminal/terminal.ts";
import type { Asker } from "./asker.ts";
import { openItems } from "./open-items.ts";
import type { Choice } from "./prompts/choice.ts";

/** Selects open questions: one ask, one conversation, or all. `id` can be that of an ask or a conversation. */
export type Selection = { id: string | undefined; session: string | undefined };

/** The question to answer next, or undefined. If several match, the person chooses. */
export async function findItem(
  terminal: Terminal,
  hub: Client,
  asker: Asker,
  { id, session }: Selection,
): Promise<InboxItem | undefined> {
  const open = (await openItems(hub)).filter((item) => session === undefined || item.session_id === session);
  if (id === undefined) return choose(asker, open, `${open.length} questions are pending. Which one?`);
  const matching = open.filter((item) => item.tool_use_id === id);
  if (matching.length === 0) return open.find((item) => item.session_id === id);
  if (matching.length > 1 && !terminal.interactive) throw ambiguous(id, matching);
  return choose(asker, matching, `${matching.length} conversations have a question ${id}. Which one?`);
}

/** Agents choose their own ids, so two conversations may use the same one. */
function ambiguous(id: string, items: InboxItem[]): CommandExit {
  const lines = items.map(
    ({ session_id, agent, title, question }) =>
      `  parley answer ${shellWord(id)} --session ${shellWord(session_id)}   ${[agent, title ?? question].join(" · ")}`,
  );
  return new CommandExit(
    EXIT.badInput,
    [`${items.length} conversations have a question ${id}. Say which one with --session:`, ...lines].join("\n"),
  );
}

async function choose(asker: Asker, items: InboxItem[], message: string): Promise<InboxItem | undefined> {
  if (items.length < 2) return items[0];
  const chosen = await asker.pick(message, items.map(choiceOf));
  return items.find(({ inbox_item_id }) => inbox_item_id === chosen);
}

function choiceOf({ inbox_item_id, question, header, agent, title }: InboxItem): Choice {
  const about = [header, agent, title].filter(Boolean).join(" · ");
  return { value: inbox_item_id, label: stripControls(question), hint: stripControls(about) };
}
