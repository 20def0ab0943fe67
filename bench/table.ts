import type { DatabaseKind } from "../scripts/throwaway/database.ts";
import type { Spread } from "./statistics.ts";

export type Line = {
  figure: string;
  kind: DatabaseKind;
  /** The product's figure, with its unit. */
  product: string;
  /** The figure it is compared with. */
  against: string;
  ratio?: Spread;
  /** A line without a target is for information. */
  target?: Target;
};

export type Target = { value: number; atLeast?: number; atMost?: number; unit?: string };

/** One table with one line per figure and its verdict. */
export function table(lines: Line[]): string {
  const head = ["figure", "database", "product", "against", "ratio", "spread", "target", ""];
  const rows = lines.map(({ figure, kind, product, against, ratio, target }) => [
    figure,
    kind,
    product,
    against,
    ratio ? ratio.median.toFixed(2) : "",
    ratio ? `${ratio.least.toFixed(2)}–${ratio.greatest.toFixed(2)}` : "",
    target ? limitOf(target) : "",
    target ? (holds(target) ? "pass" : "SHORT") : "",
  ]);
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

function limitOf({ atLeast, atMost, unit = "" }: Target): string {
  return atLeast === undefined ? `≤ ${atMost}${unit}` : `≥ ${atLeast}${unit}`;
}

function holds({ value, atLeast, atMost }: Target): boolean {
  return (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost);
}
