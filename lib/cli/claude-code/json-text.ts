// Edits JSON as text: the rest of the file keeps every character, and removing what was added restores it exactly.
// jsonc-parser finds the places; its own edits reformat what is around them.

import { findNodeAtLocation, type JSONPath, type Node, parseTree } from "jsonc-parser";

/** `shown` is the part to show to the person: the surrounding text may be secret. */
export type Edit = { text: string; shown: { line: number; removed: string; added: string } };

/** A member of an object, from its key to the end of its value, or an element of an array. */
type Member = { start: number; end: number };

/** The value at `path`, or undefined. */
export function valueAt(text: string, path: JSONPath): unknown {
  const root = parseTree(text);
  const node = root && findNodeAtLocation(root, path);
  // Not by getNodeValue, whose objects have no prototype and so differ from all others.
  return node && JSON.parse(text.slice(node.offset, node.offset + node.length));
}

/** Adds a member to the end of the object or array at `path`. */
export function added(text: string, path: JSONPath, key: string | undefined, value: unknown): Edit {
  const node = nodeAt(text, path);
  if (node.type !== (key === undefined ? "array" : "object"))
    throw new Error(`${path.join(".")} is not a list or an object.`);
  const members = membersOf(node);
  const [first, last] = [members[0], members.at(-1)];
  const outer = indentAt(text, node.offset);
  const between = first ? text.slice(node.offset + 1, first.start) : `\n${outer}${unitOf(text)}`;
  const inner = between.includes("\n") ? between.slice(between.lastIndexOf("\n") + 1) : undefined;
  const json =
    inner === undefined
      ? JSON.stringify(value)
      : JSON.stringify(value, null, unitOf(text)).replaceAll("\n", `\n${inner}`);
  const member = key === undefined ? json : `${JSON.stringify(key)}: ${json}`;
  const at = last?.end ?? node.offset + 1;
  const rest = last ? at : node.offset + node.length - 1;
  const changed = `${text.slice(0, at)}${last ? "," : ""}${between}${member}${last ? "" : `\n${outer}`}${text.slice(rest)}`;
  return { text: changed, shown: { line: lineAt(text, at) + 1, removed: "", added: `${inner ?? ""}${member}` } };
}

/** Removes the member at `path`, and every parent that becomes empty. */
export function removed(text: string, path: JSONPath): Edit {
  const value = nodeAt(text, path);
  const member = value.parent?.type === "property" ? value.parent : value;
  const parent = member.parent;
  if (!parent) throw new Error("The whole file cannot be removed.");
  const members = membersOf(parent);
  const index = members.findIndex(({ start }) => start === member.offset);
  const [before, here, after] = [members[index - 1], members[index], members[index + 1]];
  if (!here) throw new Error(`There is no ${path.join(".")}.`);
  if (!before && !after && path.length > 1) return removed(text, path.slice(0, -1));
  const [from, to] = before
    ? [before.end, here.end]
    : after
      ? [here.start, after.start]
      : [parent.offset + 1, parent.offset + parent.length - 1];
  const shown = {
    line: lineAt(text, here.start),
    removed: indentAt(text, here.start) + text.slice(here.start, here.end),
    added: "",
  };
  return { text: text.slice(0, from) + text.slice(to), shown };
}

function nodeAt(text: string, path: JSONPath): Node {
  const root = parseTree(text);
  const node = root && findNodeAtLocation(root, path);
  if (!node) throw new Error(`There is no ${path.join(".")}.`);
  return node;
}

function membersOf({ children = [] }: Node): Member[] {
  return children.map((child) => {
    const value = child.type === "property" ? (child.children?.[1] ?? child) : child;
    return { start: child.offset, end: value.offset + value.length };
  });
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split("\n").length;

function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1))?.[0] ?? "";
}

function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
}
