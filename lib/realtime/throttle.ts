import { ParleyError } from "../protocol/errors.ts";

const PER_SECOND = 50;
const BURST = 200;

/** Limits the commands of one socket to a burst, then to a rate, by a monotonic clock. */
export function createThrottle(): () => ParleyError | undefined {
  let left = BURST;
  let at = performance.now();
  return () => {
    const now = performance.now();
    left = Math.min(BURST, left + ((now - at) / 1_000) * PER_SECOND);
    at = now;
    if (left < 1)
      return new ParleyError("rate_limited", `More than ${PER_SECOND} commands per second. Slow down.`, {
        retry_after: 1,
      });
    left -= 1;
    return undefined;
  };
}
