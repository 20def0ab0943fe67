/** Buckets per doubling of the time: half of one is 0.5 %. */
const PER_OCTAVE = 64;
const MAX_OCTAVES = 40;

/** The bucket of a time to answer. Times are counted by buckets: to sort a million of them takes longer than all the rest. */
export function bucketOf(ms: number): number {
  return ms < 1 ? 0 : Math.min(1 + Math.floor(Math.log2(ms) * PER_OCTAVE), PER_OCTAVE * MAX_OCTAVES - 1);
}

/** The time in the middle of a bucket. */
function timeOf(bucket: number): number {
  return bucket === 0 ? 0 : Math.round(2 ** ((bucket - 0.5) / PER_OCTAVE));
}

/** How many questions there were, and how long they took. */
export class Load {
  settled = 0;
  answered = 0;
  waiting = 0;
  #times: Uint32Array | undefined;

  /** `bucket` is that of the time, if someone answered. */
  add(took: number, bucket: number | undefined): void {
    this.settled += 1;
    this.waiting += took;
    if (bucket === undefined) return;
    this.answered += 1;
    this.#times ??= new Uint32Array(PER_OCTAVE * MAX_OCTAVES);
    this.#times[bucket] = (this.#times[bucket] ?? 0) + 1;
  }

  /** Adds all of another. */
  merge(other: Load): void {
    this.settled += other.settled;
    this.answered += other.answered;
    this.waiting += other.waiting;
    if (!other.#times) return;
    this.#times ??= new Uint32Array(PER_OCTAVE * MAX_OCTAVES);
    for (let bucket = 0; bucket < this.#times.length; bucket++)
      this.#times[bucket] = (this.#times[bucket] ?? 0) + (other.#times[bucket] ?? 0);
  }

  result() {
    const { settled, answered } = this;
    return {
      settled,
      answered,
      median_ms: this.#percentile(0.5),
      p90_ms: this.#percentile(0.9),
      waiting_ms: Math.round(this.waiting),
    };
  }

  /** To within 1 %. */
  #percentile(part: number): number | null {
    if (this.answered === 0) return null;
    let left = Math.ceil(this.answered * part);
    const times = this.#times ?? [];
    for (let bucket = 0; bucket < times.length; bucket++) {
      left -= times[bucket] ?? 0;
      if (left <= 0) return timeOf(bucket);
    }
    return null;
  }
}
