const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A character rarely needs more than a dozen code units, but a letter with thousands of accents is still one. */
const UNITS_PER_CHARACTER = 32;

/** Each step of the segmenter takes time in proportion to its whole input, so it gets short pieces. */
const WINDOW = 256;

/** Letters, digits, kana and Chinese characters, which never combine. Everything else goes through the segmenter. */
const APART = /^[\t\n\x20-\x7e\u00c0-\u024f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]*$/;

/** Explains why a text is longer than `max` characters; undefined if it fits. */
export function lengthProblem(text: string, max: number): string | undefined {
  if (text.length <= max) return undefined;
  const units = max * UNITS_PER_CHARACTER;
  // The plain length alone decides: refusing a longer text must not cost more.
  if (text.length > units) {
    return countCharacters(text.slice(0, units), max) > max
      ? `must have at most ${max} characters`
      : `must have at most ${max} characters and ${units} UTF-16 code units; it has ${text.length} units, because many marks are combined into single characters`;
  }
  return countCharacters(text, max) > max ? `must have at most ${max} characters` : undefined;
}

/**
 * Counts characters as a person does: a Chinese character or a family emoji is one. Stops counting above `enough`, and
 * does not segment a text whose plain length is small enough.
 */
export function countCharacters(text: string, enough: number): number {
  if (text.length <= enough) return text.length;
  let count = 0;
  for (const run of runsOf(text)) {
    count += run.characters;
    if (count > enough) break;
  }
  return count;
}

/** The first `max` UTF-16 code units of a text, never ending in half a surrogate pair, which PostgreSQL refuses. */
export function beginning(text: string, max: number): string {
  return text.slice(0, max).replace(/[\ud800-\udbff]$/, "");
}

/** Shortens a text to `max` characters, and ends it with an ellipsis if something was cut. */
export function cutTo(text: string, max: number): string {
  if (lengthProblem(text, max) === undefined) return text;
  // Leaves room for the ellipsis.
  const kept = beginning(text, max * UNITS_PER_CHARACTER - 1);
  let end = 0;
  let left = max - 1;
  for (const run of runsOf(kept)) {
    if (run.characters > left) {
      end += run.characters === 1 ? 0 : left;
      break;
    }
    left -= run.characters;
    end = run.end;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}

/** One character, or several characters of one code unit each, and where they end. */
type Run = { characters: number; end: number };

/** Walks through a text in time proportional to its length, whatever it contains. */
function* runsOf(text: string): Generator<Run> {
  let from = 0;
  let width = WINDOW;
  while (from < text.length) {
    const to = from + width + (isHighSurrogate(text.charCodeAt(from + width - 1)) ? 1 : 0);
    const window = text.slice(from, to);
    const isLast = to >= text.length;
    const start = from;
    if (width === WINDOW && APART.test(window)) {
      // The last character of a window may continue in the next one, so it is left for that.
      from += window.length - (isLast ? 0 : 1);
      yield { characters: from - start, end: from };
      continue;
    }
    let end = start;
    for (const { index, segment } of segmenter.segment(window)) {
      if (index > 0) {
        from = start + index;
        yield { characters: 1, end: from };
        // In a window widened for one long character, every further step would cost the whole width.
        if (width > WINDOW) break;
      }
      end = start + index + segment.length;
    }
    if (from === start && !isLast) {
      width *= 2;
      continue;
    }
    if (isLast && end === text.length) {
      yield { characters: 1, end };
      return;
    }
    width = WINDOW;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Characters that take no space or end a line. Joiners and emoji variants are needed inside words and emoji. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u2800]|(?!\u200c|\u200d|\ufe0f)\p{Default_Ignorable_Code_Point}/u;
/** A joiner or variant that has nothing to join. */
const STRAY = /(?<!\p{L}|\p{M}|\p{So}|\ufe0f)(?:\u200c|\u200d|\ufe0f)|(?:\u200c|\u200d)(?!\p{L}|\p{M}|\p{So})/u;

/** Whether every character of a name can be seen, so that no two names look the same but differ. */
export function isVisible(name: string): boolean {
  return !INVISIBLE.test(name) && !STRAY.test(name);
}

/** The name on one line, without invisible characters. */
export function visibleName(name: string): string {
  const line = name.replace(/[\s\p{Zl}\p{Zp}]+/gu, " ");
  const shown = line.replace(new RegExp(INVISIBLE, "gu"), "").replace(new RegExp(STRAY, "gu"), "");
  return shown.trim();
}

/** The same for names that look alike: without case, invisible characters and compatibility forms. */
export function sameName(name: string): string {
  const plain = name.normalize("NFKC").replace(/[\s\p{Default_Ignorable_Code_Point}\u2800]+/gu, " ");
  return plain.replaceAll(" ", "").toLowerCase();
}
