import { fenceOpenedBy, isFenceClosedBy } from "./markdown-fence.ts";

/** Above any of these limits a text is shown unrendered: rendering it could freeze the page for seconds or overflow the stack. */
const MAX = { length: 20_000, lines: 600, markers: 1_500, markersPerBlock: 500, depth: 20, cells: 2_000 };

const MARKERS = /[*_~`[\]<@]|:\/\/|www\./g;
/** Nested quotes and list items opened by one line. */
const CONTAINERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/;
/** Lines that always start a new block. */
const NEW_BLOCK = /^ {0,3}(?:[-+*]|#{1,6})[ \t]/;
const HTML_BLOCK = /^ {0,3}<[!?/a-z]/im;
const DELIMITER_ROW = /^[ \t]*[|:-][|:\- \t]*$/;

/**
 * Whether a text can be rendered as markdown without freezing the page. The time of the parser grows with the square of
 * the markers in a block, nesting and table cells cost more than their length, and agents write all of it. One pass over
 * the lines decides; whatever is uncertain counts against the text.
 */
export function isLightMarkdown(text: string): boolean {
  if (text.length > MAX.length) return false;
  // Inside raw HTML a fence is only text; treating it as a fence would skip everything after it.
  const hasFences = !HTML_BLOCK.test(text);
  let fence: string | undefined;
  let lines = 0;
  let markers = 0;
  let block = 0;
  let columns = 0;
  let cells = 0;
  for (const line of text.split("\n")) {
    if (fence !== undefined) {
      if (isFenceClosedBy(fence, line)) fence = undefined;
      continue;
    }
    fence = hasFences ? fenceOpenedBy(line) : undefined;
    if (fence !== undefined || line.trim() === "") {
      block = columns = 0;
      continue;
    }
    if (NEW_BLOCK.test(line)) block = 0;
    const prefix = CONTAINERS.exec(line)?.[0] ?? "";
    if (depthOf(prefix) > MAX.depth) return false;
    const rest = line.slice(prefix.length);
    if (DELIMITER_ROW.test(rest)) columns = Math.max(columns, rest.split("|").length);
    const found = line.match(MARKERS)?.length ?? 0;
    lines += 1;
    markers += found;
    block += found;
    cells += columns;
    if (lines > MAX.lines || markers > MAX.markers || block > MAX.markersPerBlock || cells > MAX.cells) return false;
  }
  return true;
}

/** Nested items may also be written one per line, each indented further than the last. */
function depthOf(prefix: string): number {
  const opened = prefix.match(/>|[-+*]|\d+[.)]/g)?.length ?? 0;
  const indented = /^[ \t]*/.exec(prefix)?.[0].replaceAll("\t", "    ").length ?? 0;
  return opened + indented / 2;
}
