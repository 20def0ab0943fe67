import { describe, expect, test } from "vitest";
import type { Actor } from "../protocol/actor.ts";
import { asAgent, asReader, createIdentify, type Identified, identifyBuiltInAgent } from "./identify.ts";

// While nobody has an account. lib/auth/accounts.test.ts has what changes with the first one.

const identify = createIdentify({ isBrowser: ({ cookie }) => cookie === "genuine" });
/** Nothing is read for it, so nobody waits for it. */
const atOnce = (identified: Identified): Actor => {
  if (identified instanceof Promise) throw new Error("who calls was not known at once");
  return identified;
};
const identifyRequest = (headers: Parameters<typeof identify.request>[0]) => atOnce(identify.request(headers));
const { socket } = identify;
const identifyToolCaller = () => atOnce(identify.toolCaller({}));
const identifySocket = (name: unknown) => socket({}, name);

test("what a browser decides can be told from what a program decides", () => {
  expect(identifyRequest({ cookie: "genuine" })).toMatchObject({ provenance: "browser" });
  expect(identifyRequest({ cookie: "forged" })).toMatchObject({ provenance: "none" });
  expect(socket({ cookie: "genuine" }, "ann")).toMatchObject({ provenance: "browser", surface: "socket" });
  expect(socket({}, "ann")).toMatchObject({ provenance: "none" });
  // An agent decides nothing, whatever it sends.
  expect(asAgent(identifyRequest({ cookie: "genuine" })).provenance).toBeUndefined();
});

test("anyone who sends a request may do everything, under the name they give", () => {
  expect(identifyRequest({ "x-parley-name": encodeURIComponent("王 小明") })).toEqual({
    kind: "person",
    name: "王 小明",
    surface: "rest",
    provenance: "none",
    rights: ["ask", "answer", "read", "report", "run", "observe", "notify"],
  });
});

test("a caller without a name has a name for the record, and is known to have given none", () => {
  const unnamed = { name: "local", unnamed: true };
  expect(identifyRequest({})).toMatchObject(unnamed);
  expect(identifyRequest({ "x-parley-name": "%00<>" })).toMatchObject(unnamed);
  expect(identifySocket(undefined)).toMatchObject(unnamed);
  expect(identifyToolCaller()).toMatchObject(unnamed);
  // Someone could really have that name.
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

test("every door gives only the rights that it needs", async () => {
  expect(identifyToolCaller()).toMatchObject({ kind: "agent", surface: "mcp", rights: ["ask", "read"] });
  expect(identifyBuiltInAgent("demo")).toEqual({
    kind: "agent",
    name: "demo",
    surface: "agent",
    rights: ["ask", "read"],
  });
  expect(await identify.visitor({})).toMatchObject({ surface: "browser", rights: ["read"] });
  expect(await identify.formReporter({ "x-parley-name": "ann" })).toMatchObject({
    actor: { kind: "agent", surface: "mcp", rights: ["report"] },
    by: "ann",
  });
  expect((await identify.formReporter({})).by).toBeUndefined();
});

test("asking as an agent keeps the name, and reading takes every other right away", () => {
  const actor = identifyRequest({ "x-parley-name": "ann" });
  expect(asAgent(actor)).toEqual({ ...actor, kind: "agent", provenance: undefined });
  expect(asReader(actor)).toEqual({ ...actor, rights: ["read"] });
  expect(asReader(identifyToolCaller()).rights).toEqual(["read"]);
});
