import { describe, expect, test } from "vitest";
import {
  asAgent,
  asReader,
  createIdentify,
  identifyBuiltInAgent,
  identifyFormReporter,
  identifyToolCaller,
  identifyVisitor,
} from "./identify.ts";

const { request: identifyRequest, socket } = createIdentify(({ cookie }) => cookie === "genuine");
const identifySocket = (name: unknown) => socket({}, name);

test("what a browser decides can be told from what a program decides", () => {
  expect(identifyRequest({ cookie: "genuine" })).toMatchObject({ provenance: "browser" });
  expect(identifyRequest({ cookie: "forged" })).toMatchObject({ provenance: "none" });
  expect(socket({ cookie: "genuine" }, "ann")).toMatchObject({ provenance: "browser", surface: "socket" });
  expect(socket({}, "ann")).toMatchObject({ provenance: "none" });
  // An agent decides nothing, whatever it sends.
  expect(asAgent(identifyRequest({ cookie: "genuine" })).provenance).toBeUndefined();
});

test("whoever sends a request may do everything, under the name that they give", () => {
  expect(identifyRequest({ "x-parley-name": encodeURIComponent("王 小明") })).toEqual({
    kind: "person",
    name: "王 小明",
    surface: "rest",
    provenance: "none",
    rights: ["ask", "answer", "read", "report"],
  });
});

test("a caller without a name has a name for the record, and is known to have given none", () => {
  const unnamed = { name: "local", unnamed: true };
  expect(identifyRequest({})).toMatchObject(unnamed);
  expect(identifyRequest({ "x-parley-name": "%00<>" })).toMatchObject(unnamed);
  expect(identifySocket(undefined)).toMatchObject(unnamed);
  expect(identifyToolCaller()).toMatchObject(unnamed);
  // Somebody may really go by that name.
  expect(identifyRequest({ "x-parley-name": "local" })).not.toHaveProperty("unnamed");
});

describe("the surface", () => {
  test.each([
    [{}, "rest"],
    [{ "x-parley-surface": "cli" }, "cli"],
    [{ "sec-fetch-site": "same-origin" }, "browser"],
    [{ "sec-fetch-site": "same-origin", "x-parley-surface": "cli" }, "browser"],
    [{ "x-parley-surface": "system" }, "rest"],
  ])("%j is %s", (headers, surface) => {
    expect(identifyRequest(headers).surface).toBe(surface);
  });
});

test.each([
  ["%zz", "zz"],
  ["a\u202eb", "ab"],
  [encodeURIComponent("  ann.b@c-d_e  "), "ann.b@c-d_e"],
  ["x".repeat(300), "x".repeat(100)],
])("the name %j is read as %j", (given, name) => {
  expect(identifyRequest({ "x-parley-name": given })).toMatchObject({ name });
  expect(identifySocket(decodeURIComponent(given.replace("%zz", "zz")))).toMatchObject({ name, surface: "socket" });
});

test("every door gives only the rights that it needs", () => {
  expect(identifyToolCaller()).toMatchObject({ kind: "agent", surface: "mcp", rights: ["ask", "read"] });
  expect(identifyBuiltInAgent("demo")).toEqual({
    kind: "agent",
    name: "demo",
    surface: "agent",
    rights: ["ask", "read"],
  });
  expect(identifyVisitor({})).toMatchObject({ surface: "browser", rights: ["read"] });
  expect(identifyFormReporter({ "x-parley-name": "ann" })).toMatchObject({
    actor: { kind: "agent", surface: "mcp", rights: ["report"] },
    by: "ann",
  });
  expect(identifyFormReporter({}).by).toBeUndefined();
});

test("asking as an agent keeps the name, and reading takes every other right away", () => {
  const actor = identifyRequest({ "x-parley-name": "ann" });
  expect(asAgent(actor)).toEqual({ ...actor, kind: "agent", provenance: undefined });
  expect(asReader(actor)).toEqual({ ...actor, rights: ["read"] });
  expect(asReader(identifyToolCaller()).rights).toEqual(["read"]);
});
