import type { Client } from "../../client.ts";
import { stripControls } from "../../domain/clean-text.ts";
import type { InboxItem } from "../../protocol/inbox.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { End, EXIT, type Terminal } from "../terminal/terminal.ts";
import { openItems } from "./open-items.ts";
import type { Asker } from "./prompt-result.ts";
import type { Choice } from "./prompts/choice.ts";

/** Which open questions are meant: one ask, one conversation, or all there are. `id` may be either. */
export type Wanted = { id: string | undefined; session: string | undefined };

/** The question to answer next: the person chooses where several are meant. Undefined: there is none. */
export async function findItem(
  terminal: Terminal,
  hub: Client,
  asker: Asker,
  { id, session }: Wanted,
): Promise<InboxItem | undefined> {
  const open = (await openItems(hub)).filter((item) => session === undefined || item.session_id === session);
  if (id === undefined) return choose(asker, open, `${open.length} questions are pending. Which one?`);
  const named = open.filter((item) => item.tool_use_id === id);
  if (named.length === 0) return open.find((item) => item.session_id === id);
  if (named.length > 1 && !terminal.interactive) throw ambiguous(id, named);
  return choose(asker, named, `${named.length} conversations have a question ${id}. Which one?`);
}

/** An agent chooses its own ids, so two conversations may have the same one. */
function ambiguous(id: string, items: InboxItem[]): End {
  const lines = items.map(
    ({ session_id, agent, title, question }) =>
      `  parley answer ${shellWord(id)} --session ${shellWord(session_id)}   ${[agent, title ?? question].join(" · ")}`,
  );
  return new End(
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
