import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { CONTRACT_LIMITS } from "../protocol/limits.ts";
import { readInput, readJson } from "./read-input.ts";
import { refusal } from "./test-asks.ts";

afterEach(() => vi.restoreAllMocks());

const Anything = z.unknown();
const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

test("JSON with too many values or levels is refused before it is parsed", () => {
  const parse = vi.spyOn(JSON, "parse");
  const bodies = [
    `[${"1,".repeat(CONTRACT_LIMITS.jsonValues)}1]`,
    `{"a":[${"[],".repeat(CONTRACT_LIMITS.jsonValues)}1]}`,
    nested(CONTRACT_LIMITS.jsonDepth + 1),
    nested(500_000),
  ];
  for (const body of bodies) expect(refusal(() => readJson(Anything, body))).toBe("invalid_request");
  expect(parse).not.toHaveBeenCalled();
});

test("brackets and commas inside a string count as neither values nor levels", () => {
  const text = `${'\\"[{,'.repeat(30_000)}\\\\`;
  expect(readJson(Anything, `{"text":"${text}","list":[1]}`)).toEqual({
    text: `${'"[{,'.repeat(30_000)}\\`,
    list: [1],
  });
  expect(readJson(Anything, nested(CONTRACT_LIMITS.jsonDepth))).toHaveLength(1);
});

test("the same limits hold for input that is already parsed", () => {
  expect(refusal(() => readInput(Anything, Array(CONTRACT_LIMITS.jsonValues).fill(1)))).toBe("invalid_request");
  expect(readInput(Anything, Array(CONTRACT_LIMITS.jsonValues - 1).fill(1))).toHaveLength(
    CONTRACT_LIMITS.jsonValues - 1,
  );
});
