import type { InboxItem } from "../../protocol/inbox.ts";
import { type Column, oneLine, table } from "../terminal/columns.ts";
import type { Paint } from "../terminal/paint.ts";
import { visibleText } from "../terminal/visible-text.ts";
import { age, due, dueFormat } from "../terminal/when.ts";
import type { Group } from "./similar.ts";

/** A header, and one line for each group of open questions. `ids`: with the id of each question, if there is room. */
export function inboxTable(
  groups: Group[],
  now: number,
  { width, paint, ids }: { width: number | undefined; paint: Paint; ids: boolean },
): string[] {
  return table([...columns(now, namesOf(groups)), ...(ids ? [ID] : [])], groups, width, paint);
}

/** The conversation of each row that would otherwise look like another one, in words that tell them apart. */
function namesOf(groups: Group[]): Map<Group, string> {
  const alike = new Map<string, Group[]>();
  for (const group of groups) {
    const key = JSON.stringify([oneLine(group.first.question), group.first.agent]);
    const rows = alike.get(key);
    if (rows) rows.push(group);
    else alike.set(key, [group]);
  }
  const told = [...alike.values()].filter(({ length }) => length > 1);
  return new Map(told.flatMap((rows) => rows.map((row) => [row, tellApart(row, rows)] as const)));
}

function tellApart({ items, first: { title, session_id, round } }: Group, rows: Group[]): string {
  if (items.length > 1) return "";
  const same = rows.filter(({ first }) => first.title === title);
  if (title !== null && same.length === 1) return title;
  const inIt = rows.filter(({ first }) => first.session_id === session_id);
  // First what differs, because the end may be cut.
  const id = inIt.length > 1 ? `round ${round}` : session_id.slice(-6);
  return title === null ? id : `${id} · ${title}`;
}

const columns = (now: number, names: Map<Group, string>): Column<Group>[] => [
  {
    title: "Question",
    text: ({ first }) => visibleText(first.question),
    format: ({ first }) => (first.irreversible ? ["bold", "red"] : "bold"),
    grows: true,
  },
  { title: "", text: ({ first, items }) => extent(first, items.length), format: () => "cyan" },
  { title: "Agent", text: ({ first }) => visibleText(first.agent), grows: true },
  {
    title: "Conversation",
    text: (group) => visibleText(names.get(group) ?? (group.items.length > 1 ? "" : (group.first.title ?? ""))),
    format: () => "dim",
    grows: true,
    from: names.size > 0 ? 0 : 90,
  },
  { title: "Age", text: ({ items }) => age(oldest(items), now) },
  {
    title: "Due",
    text: ({ items }) => due(soonest(items), now),
    format: ({ items }) => dueFormat(soonest(items), now),
  },
];

/** Ids are never shortened, because people copy them. */
const ID: Column<Group> = {
  title: "Id",
  text: ({ first, items }) => (items.length > 1 ? "" : visibleText(first.tool_use_id)),
  format: () => "dim",
  from: 130,
};

/** Notes about a row: that it covers several questions, or that its question is irreversible. */
function extent({ questions, irreversible }: InboxItem, alike: number): string {
  if (irreversible) return "irreversible";
  if (alike > 1) return `${alike} similar`;
  return questions > 1 ? `${questions} questions` : "";
}

const oldest = (items: InboxItem[]): string => items.map(({ created_at }) => created_at).toSorted()[0] ?? "";

const soonest = (items: InboxItem[]): string | null =>
  items.flatMap(({ deadline_at }) => (deadline_at === null ? [] : [deadline_at])).toSorted()[0] ?? null;
