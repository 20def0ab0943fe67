import { expect, test } from "vitest";
import { createOriginCheck } from "./origin.ts";

const check = createOriginCheck(() => 3000, undefined);
const request = {
  method: "POST",
  path: "/api/asks",
  host: "localhost:3000",
  origin: undefined,
  fetchSite: undefined,
  fetchMode: undefined,
};
const accepted = (change: Partial<Parameters<typeof check>[0]>) => check({ ...request, ...change }) === undefined;

test("programs without an origin and Parley's own pages may call", () => {
  for (const host of ["localhost:3000", "127.0.0.1:3000", "[::1]:3000", "LOCALHOST:3000"]) {
    expect(accepted({ host })).toBe(true);
    expect(accepted({ host, origin: `http://${host}`, fetchSite: "same-origin" })).toBe(true);
  }
});

test.each([
  "evil.example",
  "evil.example:3000",
  "localhost",
  "localhost:3001",
  "localhost.:3000",
  "127.0.0.1.nip.io:3000",
  "localhost:3000.evil.example",
  "0.0.0.0:3000",
  "[::]:3000",
  "",
  undefined,
])("never under the name %s", (host) => {
  expect(accepted({ host })).toBe(false);
  expect(accepted({ host, method: "GET", path: "/" })).toBe(false);
});

test.each([
  "http://evil.example",
  "null",
  "http://localhost:3001",
  "https://localhost:3000",
  "http://127.0.0.1:3000",
  "http://localhost:3000.evil.example",
  "",
])("never from the origin %s", (origin) => {
  expect(accepted({ origin })).toBe(false);
  expect(accepted({ origin, method: "GET" })).toBe(false);
});

test("another site may only link to a page", () => {
  for (const fetchSite of ["cross-site", "same-site", "unheard-of"]) {
    expect(accepted({ fetchSite })).toBe(false);
    expect(accepted({ fetchSite, method: "GET", path: "/api/inbox", fetchMode: "navigate" })).toBe(false);
    expect(accepted({ fetchSite, method: "GET", path: "/", fetchMode: "no-cors" })).toBe(false);
    expect(accepted({ fetchSite, method: "GET", path: "/", fetchMode: "navigate" })).toBe(true);
  }
});

test("behind a proxy, its address is accepted too", () => {
  const proxied = createOriginCheck(() => 3000, "https://parley.example");
  const at = { ...request, host: "parley.example" };
  expect(proxied({ ...at, origin: "https://parley.example" })).toBeUndefined();
  expect(proxied({ ...at, origin: "http://parley.example" })?.code).toBe("forbidden");
  expect(proxied({ ...request, host: "other.example" })?.code).toBe("forbidden");
});
