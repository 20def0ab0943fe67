import { expect, test } from "vitest";
import type { Actor, DecidedBy } from "../protocol/actor.ts";
import { decidedBy, inTheNameOf, requireCancelRight, requireRight } from "./rights.ts";

const AGENT: Actor = { kind: "agent", name: "builder", surface: "mcp", rights: ["ask", "read"] };
const askedBy: DecidedBy = { kind: "agent", name: "builder", surface: "rest" };
const forbidden = expect.objectContaining({ code: "forbidden" });

test("a right that is missing is named", () => {
  expect(() => requireRight(AGENT, "ask")).not.toThrow();
  expect(() => requireRight(AGENT, "answer")).toThrow("builder may not do this: the right to answer is missing.");
});

test("an agent cancels only what it asked, and a person anything", () => {
  expect(() => requireCancelRight(AGENT, askedBy)).not.toThrow();
  expect(() => requireCancelRight(AGENT, { ...askedBy, name: "crawler" })).toThrow(forbidden);
  expect(() => requireCancelRight(AGENT, { ...askedBy, kind: "person" })).toThrow(forbidden);
  expect(() => requireCancelRight({ ...AGENT, rights: ["read"] }, askedBy)).toThrow(forbidden);
  expect(() => requireCancelRight({ ...AGENT, kind: "person", rights: ["answer"] }, askedBy)).not.toThrow();
});

test("ids decide whose question it is; names count only where there is no id", () => {
  const key = { ...AGENT, id: "key_1" };
  expect(() => requireCancelRight(key, { ...askedBy, id: "key_1", name: "renamed" })).not.toThrow();
  expect(() => requireCancelRight(key, { ...askedBy, id: "key_2" })).toThrow(forbidden);
  expect(() => requireCancelRight(key, askedBy)).toThrow(forbidden);
  expect(() => requireCancelRight(AGENT, { ...askedBy, id: "key_1" })).toThrow(forbidden);
});

test("the record has no more than who it was, and an id only if there is one", () => {
  expect(decidedBy(AGENT)).toEqual({ kind: "agent", name: "builder", surface: "mcp" });
  expect(decidedBy({ ...AGENT, id: "key_1" })).toEqual({ id: "key_1", kind: "agent", name: "builder", surface: "mcp" });
});

test("a caller without a name goes by that of the conversation's agent, any other by its own", () => {
  expect(inTheNameOf("demo", { ...AGENT, name: "local", unnamed: true })).toEqual({ ...AGENT, name: "demo" });
  expect(inTheNameOf("demo", { ...AGENT, name: "local" })).toEqual({ ...AGENT, name: "local" });
});
