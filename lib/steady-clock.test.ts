import { expect, test } from "vitest";
import { steadyClock } from "./steady-clock.ts";

const HOUR_MS = 3_600_000;

test("a clock goes on when the wall clock is set back, and follows it again once that has caught up", () => {
  let [wall, elapsed] = [1_000_000_000, 50];
  const clock = steadyClock(
    () => wall,
    () => elapsed,
  );
  const pass = (ms: number) => {
    wall += ms;
    elapsed += ms;
    return clock();
  };
  expect(pass(10.5)).toBe(1_000_000_010);
  wall -= HOUR_MS;
  for (let nth = 1; nth <= 10; nth++) expect(pass(0.5)).toBe(Math.floor(1_000_000_010.5 + nth * 0.5));
  expect(pass(2 * HOUR_MS)).toBe(1_000_000_015 + 2 * HOUR_MS);
  // Set forward, for example after the machine has slept.
  wall += 3 * HOUR_MS;
  expect(pass(0)).toBe(Math.floor(wall));
  // Small corrections are followed, so that the two do not drift apart.
  wall -= 20;
  expect(pass(5)).toBe(Math.floor(wall));
});
