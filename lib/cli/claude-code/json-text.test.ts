import fc from "fast-check";
import { expect, test } from "vitest";
import { added, removed } from "./json-text.ts";

const FORMATS = [
  (value: unknown) => JSON.stringify(value),
  (value: unknown) => JSON.stringify(value, null, 2),
  (value: unknown) => `${JSON.stringify(value, null, 4)}\n`,
  (value: unknown) => `${JSON.stringify(value, null, "\t").replaceAll("\n", "\r\n")}\r\n`,
];

test("an entry is added at the end, and removing it restores every character", () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue()).filter((value) => !("hooks" in value));
  const member = fc.jsonValue();
  fc.assert(
    fc.property(objects, member, fc.constantFrom(...FORMATS), (value, extra, format) => {
      const text = format(value);
      const { text: changed, shown } = added(text, [], "hooks", extra);
      expect(JSON.parse(changed)).toEqual({ ...JSON.parse(text), hooks: JSON.parse(JSON.stringify(extra)) });
      expect(removed(changed, ["hooks"]).text).toBe(text);
      expect(shown.added).toContain('"hooks": ');
    }),
    { numRuns: 500 },
  );
});

test("removing the last entry also removes the objects that it leaves empty", () => {
  const text = '{ "a": { "b": [ { "c": 1 } ] }, "d": "]}\\"," }';
  expect(removed(text, ["a", "b", 0, "c"]).text).toBe('{ "d": "]}\\"," }');
  expect(removed('{"a": {"b": 1}}', ["a", "b"]).text).toBe("{}");
  expect(removed('{"a": [1, 2, 3]}', ["a", 1]).text).toBe('{"a": [1, 3]}');
});

test("an entry is indented like its neighbours", () => {
  expect(added('{"a": [1]}', ["a"], undefined, { b: 2 }).text).toBe('{"a": [1,{"b":2}]}');
  expect(added('{\n    "a": {}\n}\n', ["a"], "b", [1]).text).toBe(
    '{\n    "a": {\n        "b": [\n            1\n        ]\n    }\n}\n',
  );
});
