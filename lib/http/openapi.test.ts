import { expect, test } from "vitest";
import { ERRORS } from "../protocol/errors.ts";
import { OPERATIONS } from "../protocol/operations.ts";
import { openApi } from "./openapi.ts";

type Node = { [key: string]: unknown };
const document = JSON.parse(JSON.stringify(openApi("1.2.3"))) as Node;

function* nodes(value: unknown): Generator<Node> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Node;
  for (const item of Object.values(value)) yield* nodes(item);
}

function at(pointer: string): unknown {
  return pointer
    .slice(2)
    .split("/")
    .reduce<unknown>(
      (value, key) => (value as Node | undefined)?.[key.replaceAll("~1", "/").replaceAll("~0", "~")],
      document,
    );
}

test("names every operation once, with its own id, replies and errors of the table", () => {
  const found = Object.entries(document.paths as Node).flatMap(([path, methods]) =>
    Object.entries(methods as Node).map(([method, operation]) => [(operation as Node).operationId, method, path]),
  );
  expect(found).toEqual(
    Object.entries(OPERATIONS)
      .map(([id, { method, path }]) => [id, method, path])
      .sort(
        ([, , a], [, , b]) =>
          Object.keys(document.paths as Node).indexOf(a ?? "") - Object.keys(document.paths as Node).indexOf(b ?? ""),
      ),
  );
  expect(JSON.stringify(document)).toContain("session_not_found");
});

test("every reference leads somewhere", () => {
  const references = [...nodes(document)].flatMap((node) => (typeof node.$ref === "string" ? [node.$ref] : []));
  expect(references.length).toBeGreaterThan(20);
  for (const reference of references) expect(at(reference), reference).toBeDefined();
});

test("every field is described", () => {
  const bare: string[] = [];
  for (const [name, schema] of Object.entries((document.components as Node).schemas as Node)) {
    for (const node of nodes(schema)) {
      for (const [field, property] of Object.entries((node.properties as Node | undefined) ?? {})) {
        const { description, $ref, const: constant } = property as Node;
        if (description === undefined && $ref === undefined && constant === undefined) bare.push(`${name}.${field}`);
      }
    }
  }
  expect(bare).toEqual([]);
});

test("the table of errors has one socket code each", () => {
  const sockets = Object.values(ERRORS).map((error) => error.socket);
  expect(new Set(sockets).size).toBe(sockets.length);
});
