"use client";

import { useTranslations } from "next-intl";
import type { AskView } from "../../lib/protocol/ask.ts";

/** More rounds than this share the segments. */
const SEGMENTS = 10;
const WIDTH = 7;
const GAP = 2;
const HEIGHT = 4;

type Props = {
  round: number;
  /** How many the agent announced; null if it did not. */
  expected: number | null;
  /** Whether this round still needs an answer. */
  isOpen: boolean;
};

/** Which round this is, as a picture and in words. A lone question is no round of anything. */
export function RoundProgress({ round, expected, isOpen }: Props) {
  const t = useTranslations("card");
  const isKnown = expected !== null && expected >= round;
  const total = isKnown ? expected : round;
  if (total === 1) return null;
  return (
    <span className="inline-flex shrink-0 items-baseline gap-1.5 whitespace-nowrap tabular-nums">
      <Segments round={round} total={total} isOpen={isOpen} />
      {isKnown ? t("roundOf", { round, total }) : t("round", { round })}
    </span>
  );
}

/** How many rounds an ask announced; null if its agent did not say. Without an announcement, `total_rounds` is the round. */
export function expectedRounds({ round, total_rounds, input }: AskView): number | null {
  return total_rounds > round || input.total_rounds === total_rounds ? total_rounds : null;
}

function Segments({ round, total, isOpen }: { round: number; total: number; isOpen: boolean }) {
  const count = Math.min(total, SEGMENTS);
  const current = Math.ceil((round / total) * count) - 1;
  const colourOf = (index: number) =>
    index > current ? "fill-line" : index === current && isOpen ? "fill-accent" : "fill-subtle";
  return (
    <svg aria-hidden width={count * (WIDTH + GAP) - GAP} height={HEIGHT} className="shrink-0 self-center">
      {Array.from({ length: count }, (_, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: segments have no other key and never move.
          key={index}
          x={index * (WIDTH + GAP)}
          width={WIDTH}
          height={HEIGHT}
          rx={HEIGHT / 2}
          className={colourOf(index)}
        />
      ))}
    </svg>
  );
}
