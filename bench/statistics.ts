export type Quantiles = { p50: number; p99: number };
/** The median of the per-round ratios, with their minimum and maximum. */
export type Spread = { median: number; least: number; greatest: number };

export function quantiles(values: number[]): Quantiles {
  const sorted = values.toSorted((a, b) => a - b);
  return { p50: at(sorted, 0.5), p99: at(sorted, 0.99) };
}

export function median(values: number[]): number {
  return quantiles(values).p50;
}

/** Machines drift by a factor of two within minutes, so only measurements of the same round are compared. */
export function ratios(above: number[], below: number[]): Spread {
  const each = above.map((value, round) => value / (below[round] ?? Number.NaN)).toSorted((a, b) => a - b);
  return { median: at(each, 0.5), least: each[0] ?? Number.NaN, greatest: each.at(-1) ?? Number.NaN };
}

function at(sorted: number[], quantile: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? Number.NaN;
}
