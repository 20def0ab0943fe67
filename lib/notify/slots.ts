/** A fixed number of places. Whoever finds none free waits in line. */
export class Slots {
  #free: number;
  readonly #waiting: Array<() => void> = [];

  constructor(count: number) {
    this.#free = count;
  }

  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The next in line takes the place over, so that a call at this moment cannot take it first.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
