"use client";

import { Asterisk, Brackets, Hexagon, MousePointer2, Play } from "lucide-react";

const HUES = 8;

/** Agents that people know by sight, by the beginning of their names. */
const GLYPHS = [
  { name: "claude", Icon: Asterisk },
  { name: "codex", Icon: Hexagon },
  { name: "opencode", Icon: Brackets },
  { name: "cursor", Icon: MousePointer2 },
  { name: "demo", Icon: Play },
] as const;

const SIZES = { sm: "size-4 text-[0.5625rem]", md: "size-5 text-[0.625rem]", lg: "size-7 text-xs" } as const;
const GLYPH_PX = { sm: 10, md: 12, lg: 16 } as const;

/**
 * An agent (a square) or a person (a circle): the same colour and letters wherever the name appears. The name is always
 * printed next to it, so assistive technology skips it.
 */
export function Avatar({
  name,
  kind,
  size = "md",
}: {
  name: string;
  kind: "agent" | "person";
  size?: keyof typeof SIZES;
}) {
  const lower = name.toLowerCase();
  const glyph = kind === "agent" ? GLYPHS.find((each) => lower.startsWith(each.name)) : undefined;
  return (
    <span
      aria-hidden
      data-hue={hueOf(lower)}
      className={`avatar inline-flex shrink-0 items-center justify-center font-semibold select-none ${SIZES[size]} ${kind === "agent" ? "rounded-sm" : "rounded-full"}`}
    >
      {glyph ? (
        <glyph.Icon size={GLYPH_PX[size]} strokeWidth={2.5} />
      ) : (
        // Two wide letters do not fit into the smallest size.
        initialsOf(name, size === "sm" ? 1 : 2)
      )}
    </span>
  );
}

/** The first letters of the first words. One is enough in scripts whose letters are wide. */
export function initialsOf(name: string, count: 1 | 2 = 2): string {
  const words = name.split(/[\s._@/\-–]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const letters = words.map((word) => [...word].find((letter) => /[\p{L}\p{N}]/u.test(letter)) ?? "");
  const [first = "?", second = ""] = letters;
  const isWide = /[\u2E80-\u9FFF\uAC00-\uD7AF]/u.test(first);
  return isWide ? first : (first + (count === 2 ? second : "")).toUpperCase();
}

/** FNV-1a: the same for the same name on every device. */
export function hueOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0) % HUES;
}
