/** As far back as the wall clock may go at once and still be followed: it is corrected by this much all the time. */
const FOLLOWED_MS = 1_000;

/**
 * The wall clock, except that it goes on as before if that is set back. Otherwise everything that was planned, such as
 * deadlines, reminders and retries, would be late by as much.
 */
export function steadyClock(wall = () => Date.now(), elapsed = () => performance.now()): () => number {
  let time = wall();
  let at = elapsed();
  return () => {
    const now = elapsed();
    const expected = time + now - at;
    const shown = wall();
    time = shown < expected - FOLLOWED_MS ? expected : shown;
    at = now;
    return Math.floor(time);
  };
}
