import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { root } from "../scripts/setup/root.mjs";
import type { Options } from "./options.ts";
import { type Line, table } from "./table.ts";

const FILE = join(root, "bench/README.md");
const [BEGIN, END] = ["<!-- table -->", "<!-- end of table -->"];

/** Replaces the table in bench/README.md, which is between two comments. */
export function writeTable(lines: Line[], { rounds, sliceMs }: Options): void {
  const text = readFileSync(FILE, "utf8");
  const [from, until] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || until < from) throw new Error(`bench/README.md has no place for the table: ${BEGIN} … ${END}`);
  const date = new Date().toISOString().slice(0, 10);
  const where = `Measured on ${date}: Node ${process.versions.node}, ${cpus().length} cores, ${rounds} rounds of ${sliceMs / 1_000} s.`;
  const inside = `${BEGIN}\n\n${where}\n\n${table(lines)}\n\n${END}`;
  writeFileSync(FILE, text.slice(0, from) + inside + text.slice(until + END.length));
}
