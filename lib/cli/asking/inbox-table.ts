import { stripControls } from "../../domain/clean-text.ts";
import type { InboxItem } from "../../protocol/inbox.ts";
import { type Column, table } from "../terminal/columns.ts";
import type { Paint } from "../terminal/paint.ts";
import { age, due, dueFormat } from "../terminal/when.ts";
import type { Group } from "./similar.ts";

/** A header, and one line for each group of open questions. `ids`: with the id of each question, if there is room. */
export function inboxTable(
  groups: Group[],
  now: number,
  { width, paint, ids }: { width: number | undefined; paint: Paint; ids: boolean },
): string[] {
  return table([...columns(now), ...(ids ? [ID] : [])], groups, width, paint);
}

const columns = (now: number): Column<Group>[] => [
  {
    title: "Question",
    text: ({ first }) => stripControls(first.question),
    format: ({ first }) => (first.irreversible ? ["bold", "red"] : "bold"),
    grows: true,
  },
  { title: "", text: ({ first, items }) => extent(first, items.length), format: () => "cyan" },
  { title: "Agent", text: ({ first }) => stripControls(first.agent), grows: true },
  {
    title: "Conversation",
    text: ({ first, items }) => (items.length > 1 ? "" : stripControls(first.title ?? "")),
    format: () => "dim",
    grows: true,
    from: 90,
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
  text: ({ first, items }) => (items.length > 1 ? "" : stripControls(first.tool_use_id)),
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
