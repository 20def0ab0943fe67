import { ParleyError } from "../protocol/errors.ts";

const PER_SECOND = 50;
const BURST = 200;

/** Commands of one socket: a burst, then so many per second. Measured by a clock that nobody can set back. */
export function createThrottle(): () => ParleyError | undefined {
  let left = BURST;
  let at = performance.now();
  return () => {
    const now = performance.now();
    left = Math.min(BURST, left + ((now - at) / 1_000) * PER_SECOND);
    at = now;
    if (left < 1)
      return new ParleyError("rate_limited", `More than ${PER_SECOND} commands a second. Slow down.`, {
        retry_after: 1,
      });
    left -= 1;
    return undefined;
  };
}
