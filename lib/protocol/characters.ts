const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Length as a person counts, to compare with `enough`: a Chinese character, or a family emoji, is one. It stops there,
 * and a text whose plain length is small enough is not looked into.
 */
export function countCharacters(text: string, enough: number): number {
  if (text.length <= enough) return text.length;
  let count = 0;
  for (const _ of segmenter.segment(text)) if (++count > enough) break;
  return count;
}

/** As much of a text as `most` characters hold, with a mark where it was cut. */
export function cutTo(text: string, most: number): string {
  if (countCharacters(text, most) <= most) return text;
  const kept: string[] = [];
  for (const { segment } of segmenter.segment(text)) if (kept.push(segment) === most - 1) break;
  return `${kept.join("").trimEnd()}…`;
}
