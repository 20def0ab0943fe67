import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { countCharacters, cutTo, lengthProblem } from "./characters.ts";

afterEach(() => vi.restoreAllMocks());

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const charactersOf = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment);

test("long texts are counted and cut exactly where the plain segmenter would", () => {
  const unit = fc.constantFrom(
    ..."a字한😀🏽\n\r",
    ..."👨‍👩‍👧‍👦|🇫🇷|🇩|e\u0301|\r\n|क्षि|\u1100\u1161|\u200d|\u0301|\ud83d".split("|"),
    "\u0301".repeat(300),
  );
  const plain = fc.constantFrom("Plain words, 字 and ほ. ".repeat(12), "é".repeat(256), "a".repeat(255));
  const parts = fc.array(fc.oneof({ weight: 40, arbitrary: unit }, plain), { minLength: 20, maxLength: 200 });
  const text = parts.map((all) => all.join(""));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 600 }), (raw, most) => {
      const characters = charactersOf(raw);
      expect(countCharacters(raw, raw.length - 1)).toBe(characters.length);
      if (raw.length >= most * 32) return;
      const isLong = characters.length > most;
      expect(lengthProblem(raw, most) !== undefined).toBe(isLong);
      const kept = characters.slice(0, most - 1).join("");
      expect(cutTo(raw, most)).toBe(isLong ? `${kept.trimEnd()}…` : raw);
    }),
    { numRuns: 200, seed: Number(process.env.SEED ?? 1) },
  );
});

test("the work grows with the length of the text, whatever it is made of", () => {
  const shapes: Array<(units: number) => string> = [
    (units) => "한".repeat(units),
    (units) => `e${"\u0301".repeat(units)}`,
    (units) => `e${"\u0301".repeat(units / 2)}${"a".repeat(units / 2)}`,
    (units) => `${"a".repeat(600)}e${"\u0301".repeat(600)}`.repeat(units / 1_200),
    (units) => "👨‍👩‍👧‍👦".repeat(units / 11),
  ];
  for (const shape of shapes) {
    const [small, large] = [10_000, 80_000].map((units) => workOf(() => countCharacters(shape(units), units * 0.9)));
    expect(large).toBeLessThan(12 * (small ?? 0));
  }
});

test("one letter under very many accents is refused, and the message says why", () => {
  const text = `e${"\u0301".repeat(520_000)}`;
  expect(lengthProblem(text, 500)).toBe(
    "must have at most 500 characters and 16000 UTF-16 code units; it has 520001 units, because many marks are combined into single characters",
  );
  expect(lengthProblem("a".repeat(520_000), 500)).toBe("must have at most 500 characters");
  expect(lengthProblem(cutTo(text, 500), 500)).toBe(undefined);
});

/** Every step of the segmenter costs the length of the text it was given. */
function workOf(action: () => void): number {
  let work = 0;
  const plain = Intl.Segmenter.prototype.segment;
  vi.spyOn(Intl.Segmenter.prototype, "segment").mockImplementation(function (this: Intl.Segmenter, text) {
    const segments = plain.call(this, text);
    return {
      containing: segments.containing.bind(segments),
      *[Symbol.iterator]() {
        for (const segment of segments) {
          work += text.length;
          yield segment;
        }
      },
    } as Intl.Segments;
  });
  action();
  vi.restoreAllMocks();
  return work;
}
