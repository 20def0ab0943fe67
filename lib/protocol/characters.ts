const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A character rarely needs more than a dozen code units; a letter under thousands of accents is still one character. */
const UNITS_PER_CHARACTER = 32;

/** Each step of the segmenter costs the length of the text it was given, so it is given a short piece at a time. */
const WINDOW = 256;

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
  for (const _ of characterEnds(text)) if (++count > enough) break;
  return count;
}

/** As much of a text as `most` characters hold, with a mark where it was cut. */
export function cutTo(text: string, most: number): string {
  if (lengthProblem(text, most) === undefined) return text;
  // Room for the mark, and never half of a pair.
  const kept = text.slice(0, most * UNITS_PER_CHARACTER - 1).replace(/[\ud800-\udbff]$/, "");
  let end = 0;
  let count = 0;
  for (const next of characterEnds(kept)) {
    if (++count === most) break;
    end = next;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}

/** Where each character ends. The work grows with the length of the text, whatever it is made of. */
function* characterEnds(text: string): Generator<number> {
  let from = 0;
  let width = WINDOW;
  while (from < text.length) {
    const to = from + width + (isHighSurrogate(text.charCodeAt(from + width - 1)) ? 1 : 0);
    const isLast = to >= text.length;
    const start = from;
    let previous = 0;
    for (const { index, segment } of segmenter.segment(text.slice(start, to))) {
      // The last character of a window may go on in the next one, so it is left for that.
      if (index > 0) {
        from = start + index;
        yield from;
        // In a window that was widened for one long character, every further step would cost its whole width.
        if (width > WINDOW) break;
      }
      previous = start + index + segment.length;
    }
    if (from === start && !isLast) {
      width *= 2;
      continue;
    }
    if (isLast && previous === text.length) {
      yield previous;
      return;
    }
    width = WINDOW;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
