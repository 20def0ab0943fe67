import { expect, test } from "vitest";
import { pagesOf } from "./pages-of.ts";

test("pages cover all numbers, and none is longer than allowed", () => {
  expect(pagesOf([], 200)).toEqual([]);
  expect(pagesOf([7], 200)).toEqual([{ first: 7, last: 7 }]);
  const scattered = [900, 1, 200, 201, 2_000, 400, 5];
  expect(pagesOf(scattered, 200)).toEqual([
    { first: 1, last: 200 },
    { first: 201, last: 400 },
    { first: 900, last: 900 },
    { first: 2_000, last: 2_000 },
  ]);
  // A laptop that slept through 150 rounds of four messages each reads three pages, not 150 asks.
  const rounds = Array.from({ length: 150 }, (_, nth) => 1 + nth * 4);
  expect(pagesOf(rounds, 200)).toHaveLength(3);
});
