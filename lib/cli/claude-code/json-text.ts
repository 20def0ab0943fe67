// Edits JSON as text: the rest of the file keeps every character, and removing what was added restores it exactly.

type Node = { start: number; end: number; kind: "object" | "array" | "other"; members: Member[] };
/** From the key, in an object, to the end of the value. */
type Member = { start: number; end: number; key: string | number; value: Node };

export type Path = Array<string | number>;
/** `shown` is the part to show to the person: the surrounding text may be secret. */
export type Edit = { text: string; shown: { line: number; removed: string; added: string } };

/** Adds a member to the end of the object or array at `path`. */
export function added(text: string, path: Path, key: string | undefined, value: unknown): Edit {
  const node = nodeAt(text, path);
  if (node.kind !== (key === undefined ? "array" : "object")) throw new Error(`${path.join(".")} holds no such thing.`);
  const [first, last] = [node.members[0], node.members.at(-1)];
  const outer = indentAt(text, node.start);
  const between = first ? text.slice(node.start + 1, first.start) : `\n${outer}${unitOf(text)}`;
  const inner = between.includes("\n") ? between.slice(between.lastIndexOf("\n") + 1) : undefined;
  const json =
    inner === undefined
      ? JSON.stringify(value)
      : JSON.stringify(value, null, unitOf(text)).replaceAll("\n", `\n${inner}`);
  const member = key === undefined ? json : `${JSON.stringify(key)}: ${json}`;
  const at = last?.end ?? node.start + 1;
  const rest = last ? at : node.end - 1;
  const changed = `${text.slice(0, at)}${last ? "," : ""}${between}${member}${last ? "" : `\n${outer}`}${text.slice(rest)}`;
  return { text: changed, shown: { line: lineAt(text, at) + 1, removed: "", added: `${inner ?? ""}${member}` } };
}

/** Removes the member at `path`, and every parent that becomes empty. */
export function removed(text: string, path: Path): Edit {
  const parent = nodeAt(text, path.slice(0, -1));
  const index = parent.members.findIndex(({ key }) => key === path.at(-1));
  const [before, member, after] = [parent.members[index - 1], parent.members[index], parent.members[index + 1]];
  if (!member) throw new Error(`There is no ${path.join(".")}.`);
  if (!before && !after && path.length > 1) return removed(text, path.slice(0, -1));
  const [from, to] = before
    ? [before.end, member.end]
    : after
      ? [member.start, after.start]
      : [parent.start + 1, parent.end - 1];
  const shown = {
    line: lineAt(text, member.start),
    removed: indentAt(text, member.start) + text.slice(member.start, member.end),
    added: "",
  };
  return { text: text.slice(0, from) + text.slice(to), shown };
}

function nodeAt(text: string, path: Path): Node {
  return path.reduce<Node>(
    (node, step) => {
      const member = node.members.find(({ key }) => key === step);
      if (!member) throw new Error(`There is no ${path.join(".")}.`);
      return member.value;
    },
    read(text, 0),
  );
}

/** Of text that is known to be JSON. */
function read(text: string, from: number): Node {
  const start = skip(text, from);
  const kind = text[start] === "{" ? "object" : text[start] === "[" ? "array" : "other";
  if (kind === "other") return { start, end: scalarEnd(text, start), kind, members: [] };
  const members: Member[] = [];
  let at = skip(text, start + 1);
  while (text[at] !== "}" && text[at] !== "]") {
    const keyEnd = kind === "object" ? scalarEnd(text, at) : at;
    const value = read(text, kind === "object" ? skip(text, keyEnd) + 1 : at);
    const key = kind === "object" ? JSON.parse(text.slice(at, keyEnd)) : members.length;
    members.push({ start: at, end: value.end, key, value });
    at = skip(text, value.end);
    if (text[at] === ",") at = skip(text, at + 1);
  }
  return { start, end: at + 1, kind, members };
}

function scalarEnd(text: string, start: number): number {
  const pattern = text[start] === '"' ? /"(?:[^"\\]|\\.)*"/sy : /[^\s,\]}]+/y;
  pattern.lastIndex = start;
  pattern.test(text);
  return pattern.lastIndex;
}

function skip(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\r\n".includes(text[at] ?? "")) at++;
  return at;
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split("\n").length;

function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1))?.[0] ?? "";
}

function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
}
