const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A character rarely needs more than a dozen code units; a letter under thousands of accents is still one character. */
const UNITS_PER_CHARACTER = 32;

/** Each step of the segmenter costs the length of the text it was given, so it is given a short piece at a time. */
const WINDOW = 256;

/** Letters, digits, kana and Chinese characters: no two of them are ever one character. Anything else is left to the segmenter. */
const APART = /^[\t\n\x20-\x7e\u00c0-\u024f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]*$/;

/** Why a text is too long for `max` characters, in words; undefined where it fits. */
export function lengthProblem(text: string, max: number): string | undefined {
  if (text.length <= max) return undefined;
  const units = max * UNITS_PER_CHARACTER;
  // Decided by the plain length alone: the longer a text is, the less is spent on refusing it.
  if (text.length > units) {
    return countCharacters(text.slice(0, units), max) > max
      ? `must have at most ${max} characters`
      : `must have at most ${max} characters and ${units} UTF-16 code units; it has ${text.length} units, because many marks are combined into single characters`;
  }
  return countCharacters(text, max) > max ? `must have at most ${max} characters` : undefined;
}

/**
 * Length as a person counts, to compare with `enough`: a Chinese character, or a family emoji, is one. It stops there,
 * and a text whose plain length is small enough is not looked into.
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

/** The first `most` UTF-16 code units of a text. Never half of a character, which PostgreSQL refuses. */
export function beginning(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}

/** As much of a text as `most` characters hold, with a mark where it was cut. */
export function cutTo(text: string, most: number): string {
  if (lengthProblem(text, most) === undefined) return text;
  // Room for the mark.
  const kept = beginning(text, most * UNITS_PER_CHARACTER - 1);
  let end = 0;
  let left = most - 1;
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

/** One character, or several of one unit each, and where they end. */
type Run = { characters: number; end: number };

/** A text from its beginning to its end. The work grows with its length, whatever it is made of. */
function* runsOf(text: string): Generator<Run> {
  let from = 0;
  let width = WINDOW;
  while (from < text.length) {
    const to = from + width + (isHighSurrogate(text.charCodeAt(from + width - 1)) ? 1 : 0);
    const window = text.slice(from, to);
    const isLast = to >= text.length;
    const start = from;
    if (width === WINDOW && APART.test(window)) {
      // As everywhere, the last character of a window may go on in the next one, and is left for that.
      from += window.length - (isLast ? 0 : 1);
      yield { characters: from - start, end: from };
      continue;
    }
    let end = start;
    for (const { index, segment } of segmenter.segment(window)) {
      if (index > 0) {
        from = start + index;
        yield { characters: 1, end: from };
        // In a window that was widened for one long character, every further step would cost its whole width.
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
