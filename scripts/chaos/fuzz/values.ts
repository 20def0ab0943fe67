import type { Random } from "../kit/random.ts";

const RAW = "\u0001raw:";

/** JSON that JSON.stringify cannot write: it is inserted into the text as it is. */
export const raw = (token: string): string => `${RAW}${token}\u0001`;

/** Like JSON.stringify, with raw tokens inserted. */
export function write(value: unknown): string {
  return (JSON.stringify(value) ?? "null").replace(/"\\u0001raw:(.*?)\\u0001"/g, (_, token: string) =>
    JSON.parse(`"${token}"`),
  );
}

const TEXTS = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udc00\ud800",
  "\u202eabc\u202c",
  "\u200b\u200d\ufeff",
  "\u2028\u2029",
  "<script>alert(1)</script>",
  "__proto__",
  "constructor",
  "toString",
  "%00",
  "../../etc/passwd",
  "' or 1=1 --",
  "other:",
  "other:\u0000",
  "1,2,3",
  "-1",
  "NaN",
  "null",
  "0x10",
  "1e400",
  "２",
  "👩‍👩‍👧‍👦",
  "\u{10ffff}",
  "ﷺ",
  "İ",
  "2026-02-30T00:00:00Z",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
  "+275760-09-13T00:00:00.000Z",
  "-000001-01-01T00:00:00Z",
  "2030-01-01T00:00:00.123456789+14:00",
];

const NUMBERS = [
  "1e999",
  "-1e999",
  "-0",
  "9007199254740993",
  "1e-400",
  "2147483648",
  "4294967296",
  "-1",
  "0.5",
  "1E400",
];

/** A value that no correct client sends, or one at a limit. */
export function oddValue(random: Random): unknown {
  const draw = random.int(20);
  if (draw < 6) return oddText(random);
  if (draw < 9) return raw(random.pick(NUMBERS));
  if (draw < 13) return random.pick([null, true, false, 0, [], {}, [null], [[]], { answer: null }]);
  if (draw < 14) return nested(random.pick([10, 63, 65, 200, 5_000]), random.chance(0.5));
  if (draw < 15) return raw(`{"${random.pick(["__proto__", "constructor", "prototype"])}":{"polluted":true}}`);
  if (draw < 16) return Array.from({ length: random.pick([21, 101, 3_000]) }, () => random.pick([1, "x", null]));
  if (draw < 17) return Object.fromEntries(Array.from({ length: random.pick([60, 2_000]) }, (_, i) => [`k${i}`, i]));
  if (draw < 18) return { [oddText(random)]: oddText(random) };
  return random.pick([1, -1, 1.5, 2 ** 31, 2 ** 53, Number.MAX_VALUE, Number.MIN_VALUE]);
}

/** Odd text, and text whose length limit falls inside a surrogate pair or between a letter and its combining marks. */
export function oddText(random: Random): string {
  if (random.chance(0.6)) return random.pick(TEXTS);
  const [before, unit] = random.pick([
    ["", "a"],
    ["", "😀"],
    ["a", "😀"],
    ["", "e\u0301"],
    ["", "\u0301"],
    ["", "한"],
    ["", "\n"],
    ["", "\\"],
    ["", '"'],
    ["", "\u0000"],
  ]) as [string, string];
  return (
    before + unit.repeat(random.pick([12, 13, 40, 51, 80, 100, 201, 257, 501, 1_001, 2_000, 4_001, 10_001, 60_000]))
  );
}

function nested(depth: number, arrays: boolean): unknown {
  return raw((arrays ? "[" : '{"a":').repeat(depth) + (arrays ? "" : "1") + (arrays ? "]" : "}").repeat(depth));
}
