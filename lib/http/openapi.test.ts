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

test("lists every operation once, with its id, replies and errors", () => {
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

test("every reference leads to a component: generators follow no others", () => {
  const references = [...nodes(document)].flatMap((node) => (typeof node.$ref === "string" ? [node.$ref] : []));
  expect(references.length).toBeGreaterThan(20);
  for (const reference of references) {
    expect(reference).toMatch(/^#\/components\/(schemas|parameters)\/[\w-]+$/);
    expect(at(reference), reference).toBeDefined();
  }
  expect(JSON.stringify(document)).not.toContain("$defs");
});

test("a generated client knows where Parley is, and can send every header that Parley reads", () => {
  expect(document).toMatchObject({ servers: [{ url: "/" }], security: [] });
  const headersOf = (path: string, method: string) =>
    (at(`#/paths/${path.replaceAll("/", "~1")}/${method}/parameters`) as Node[]).flatMap(({ $ref }) =>
      typeof $ref === "string" ? [(at($ref) as Node).name] : [],
    );
  expect(headersOf("/api/task/answer", "post")).toEqual(["Idempotency-Key", "X-Parley-Name", "Accept-Language"]);
  expect(headersOf("/api/sessions/{id}/events", "get")).toContain("Last-Event-ID");
});

test("errors that any operation can return are documented for each", () => {
  for (const { path, method } of Object.values(OPERATIONS))
    for (const status of ["403", "429", "500", "503"])
      expect(at(`#/paths/${path.replaceAll("/", "~1")}/${method}/responses/${status}`), path).toBeDefined();
  expect(at("#/paths/~1api~1task~1answer/post/responses/409")).toMatchObject({
    description: "idempotency_conflict, claimed",
  });
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
