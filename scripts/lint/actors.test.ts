import { expect, test } from "vitest";
import { actorsIn, findActors } from "./actors.mjs";

const MAKES_ONE = [
  'const actor = { kind: "person", name, surface: "rest", rights: ["answer"] };',
  'return hub.answer({ actor: { ...call.actor, name: "root" }, now }, request);',
  "const both = { ...actor, ...more };",
  'const by = { ...SYSTEM, surface: "rest" };',
];

test.each(MAKES_ONE)("finds an actor that is made outside lib/auth: %s", (line) => {
  expect(actorsIn("lib/http/handlers.ts", `// A comment.\n${line}\n`)).toEqual([
    "lib/http/handlers.ts:2: creates an actor; call a function of lib/auth instead",
  ]);
  expect(actorsIn("lib/auth/identify.ts", line)).toEqual([]);
});

test("accepts what only passes an actor on", () => {
  const text = "const call = { actor, now };\nrequireRight(call.actor, right);\nconst { rights } = operation;\n";
  expect(actorsIn("lib/http/handlers.ts", text)).toEqual([]);
});

test("no file outside lib/auth makes one", () => {
  expect(findActors()).toEqual([]);
});
