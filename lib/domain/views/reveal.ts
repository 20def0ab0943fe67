export type Part =
  | { kind: "plain"; text: string }
  /** Invisible, or changes the direction of the text. */
  | { kind: "hidden"; text: string; code: string }
  /** A word with letters of several alphabets, which may pass for another word. */
  | { kind: "mixed"; text: string; code: string }
  /** A long run of whitespace, which pushes the rest out of sight. */
  | { kind: "blank"; text: string; count: number };

// Marks of direction, zero-width and filler characters, tags, variation selectors without an emoji before them. A joiner
// inside an emoji, or inside words of scripts that need it, is not hidden: it shapes the visible text.
const HIDDEN =
  /(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?!\p{L})|\u034F|\u17B4|\u17B5|\u180B|\u180C|\u180D|[\u00AD\u061C\u115F\u1160\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]|[\u{E0100}-\u{E01EF}]/gu;
const BLANK =
  /(?:[ \t\u00A0\u2000-\u200A\u3000]*\n){5,}[ \t\u00A0\u2000-\u200A\u3000]*|[ \t\u00A0\u2000-\u200A\u3000]{40,}/g;
const WORD = /[\p{L}\p{N}_]+/gu;
const OTHER_ALPHABETS = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
const LATIN = /\p{Script=Latin}/u;

/** Splits a text into parts so that hidden ones can be shown. Joined, they are the original text. */
export function reveal(text: string): Part[] {
  const found: Array<{ at: number; part: Part }> = [
    ...[...text.matchAll(BLANK)].map((match) => ({
      at: match.index,
      part: { kind: "blank" as const, text: match[0], count: Math.max(1, match[0].split("\n").length - 1) },
    })),
    ...[...text.matchAll(HIDDEN)].map((match) => ({
      at: match.index,
      part: { kind: "hidden" as const, text: match[0], code: codeOf(match[0]) },
    })),
    ...[...text.matchAll(WORD)]
      .filter(([word]) => LATIN.test(word) && OTHER_ALPHABETS.test(word))
      .map((match) => ({ at: match.index, part: { kind: "mixed" as const, text: match[0], code: match[0] } })),
  ].sort((a, b) => a.at - b.at);

  const parts: Part[] = [];
  let from = 0;
  for (const { at, part } of found) {
    if (at < from) continue;
    if (at > from) parts.push({ kind: "plain", text: text.slice(from, at) });
    parts.push(part);
    from = at + part.text.length;
  }
  if (from < text.length || parts.length === 0) parts.push({ kind: "plain", text: text.slice(from) });
  return parts;
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
