import type { Client } from "../../client.ts";
import type { InboxItem } from "../../protocol/inbox.ts";
import { oneLine } from "../terminal/columns.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { CommandExit, EXIT, type Terminal } from "../terminal/terminal.ts";
import { visibleText } from "../terminal/visible-text.ts";
import type { Asker } from "./asker.ts";
import { inboxTable } from "./inbox-table.ts";
import { everyOpenItem, openItems } from "./open-items.ts";
import { beforeLabels } from "./prompts/choice.ts";
import { type Group, similar } from "./similar.ts";

/** Selects open questions: one ask, one conversation, or all. `id` is an ask or a conversation. */
export type Selection = { id: string | undefined; session: string | undefined };

/** The frame around a list of choices. */
const FRAME_WIDTH = 4;

/** The question to answer next, or several that are answered together, or none. If several match, the person chooses. */
export async function findItems(
  terminal: Terminal,
  hub: Client,
  asker: Asker,
  { id, session }: Selection,
): Promise<InboxItem[]> {
  const items = await (id === undefined && session === undefined ? openItems(hub) : everyOpenItem(hub));
  const open = items.filter((item) => session === undefined || item.session_id === session);
  if (id === undefined) {
    const groups = terminal.interactive ? await similar(hub, open) : open.map(alone);
    const group = await choose(terminal, asker, groups, `${open.length} questions are pending. Which one?`);
    return group ? chooseIn(asker, group) : [];
  }
  const matching = open.filter((item) => item.tool_use_id === id);
  if (matching.length === 0) return open.filter((item) => item.session_id === id).slice(0, 1);
  if (matching.length > 1 && !terminal.interactive) throw ambiguous(id, matching);
  const message = `${matching.length} conversations have a question ${id}. Which one?`;
  return (await choose(terminal, asker, matching.map(alone), message))?.items ?? [];
}

const alone = (item: InboxItem): Group => ({ first: item, items: [item] });

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

async function choose(terminal: Terminal, asker: Asker, groups: Group[], message: string): Promise<Group | undefined> {
  if (groups.length < 2) return groups[0];
  const width = terminal.interactive ? terminal.stderr.columns - FRAME_WIDTH - beforeLabels(groups.length) : undefined;
  // The prompt marks the active line itself.
  const paint = (_format: unknown, text: string) => text;
  const [columns = "", ...lines] = inboxTable(groups, Date.now(), { width, paint, ids: false });
  const choices = lines.map((label, index) => ({ value: String(index), label, search: wordsOf(groups[index]) }));
  return groups[Number(await asker.pick(message, choices, { filters: true, columns }))];
}

/** Also what the columns of a narrow screen leave out. */
function wordsOf(group: Group | undefined): string {
  return (group?.items ?? []).flatMap(({ question, agent, title }) => [question, agent, title ?? ""]).join("\n");
}

/** Similar questions can be answered together. */
async function chooseIn(asker: Asker, { items }: Group): Promise<InboxItem[]> {
  if (items.length < 2) return items;
  const together = { value: "all", label: `Answer all ${items.length} together` };
  const single = items.map(({ title, agent }, index) => ({
    value: String(index),
    label: oneLine(visibleText(title ?? agent)),
  }));
  const message = `${items.length} similar questions: ${items[0]?.question}`;
  const choice = await asker.pick(message, [together, ...single], { filters: true });
  return choice === "all" ? items : items.slice(Number(choice), Number(choice) + 1);
}
