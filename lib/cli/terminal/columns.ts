import stringWidth from "fast-string-width";
import type { Format, Paint } from "./paint.ts";

// Widths are those on the screen: a Chinese or Japanese character takes two columns.

export type Column<Row> = {
  title: string;
  text: (row: Row) => string;
  format?: (row: Row) => Format | undefined;
  /** Shares the room that the others leave, and is cut if that is too little. */
  grows?: true;
  /** Left out on a screen with fewer columns than this. */
  from?: number;
};

const GAP = "  ";
const NARROWEST = 8;

/** The lines of a table with a header. Without a width, as in a pipe, nothing is cut or left out. */
export function table<Row>(columns: Column<Row>[], rows: Row[], width: number | undefined, paint: Paint): string[] {
  const shown = columns.filter(({ from = 0 }) => width === undefined || width >= from);
  const cells = rows.map((row) => shown.map(({ text }) => oneLine(text(row))));
  const natural = shown.map(({ title }, index) =>
    Math.max(widthOf(title), ...cells.map((line) => widthOf(line[index] ?? ""))),
  );
  const widths = width === undefined ? natural : fitted(shown, natural, width);
  const line = (texts: string[], formats: Array<Format | undefined>) =>
    texts
      .map((text, index) => {
        const isLast = index === texts.length - 1;
        const short = cut(text, widths[index] ?? 0);
        const format = formats[index];
        return (format ? paint(format, short) : short) + (isLast ? "" : padding(short, widths[index] ?? 0));
      })
      .join(GAP)
      .trimEnd();
  return [
    line(
      shown.map(({ title }) => title.toUpperCase()),
      shown.map(() => "dim"),
    ),
    ...rows.map((row, index) =>
      line(
        cells[index] ?? [],
        shown.map(({ format }) => format?.(row)),
      ),
    ),
  ];
}

/** The width of each column: those that grow share what is left, and none gets more than it needs. */
function fitted<Row>(columns: Column<Row>[], natural: number[], width: number): number[] {
  const fixed = columns.reduce((sum, { grows }, index) => sum + (grows ? 0 : (natural[index] ?? 0)), 0);
  let room = width - fixed - GAP.length * (columns.length - 1);
  const widths = [...natural];
  const growing = columns
    .flatMap(({ grows }, index) => (grows ? [index] : []))
    .sort((a, b) => (natural[a] ?? 0) - (natural[b] ?? 0));
  growing.forEach((column, nth) => {
    const share = Math.max(Math.floor(room / (growing.length - nth)), NARROWEST);
    widths[column] = Math.min(natural[column] ?? 0, share);
    room -= widths[column];
  });
  return widths;
}

export function widthOf(text: string): number {
  return stringWidth(text);
}

const characters = new Intl.Segmenter();

/** The text in at most this many columns, with an ellipsis if it is cut. */
export function cut(text: string, width: number): string {
  if (width < 1) return "";
  if (widthOf(text) <= width) return text;
  let [kept, used] = ["", 0];
  for (const { segment } of characters.segment(text)) {
    used += widthOf(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** The text in exactly this many columns. */
export function padded(text: string, width: number): string {
  const short = cut(text, width);
  return short + padding(short, width);
}

function padding(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - widthOf(text)));
}

/** Lists have one line for each row, whatever its texts hold. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
