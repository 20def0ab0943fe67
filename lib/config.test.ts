import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ConfigError, homeOf, inHome, parseConfig } from "./config.ts";

test("without any setting Parley runs by itself, on this machine alone", () => {
  expect(parseConfig({})).toMatchObject({
    port: 3000,
    host: "127.0.0.1",
    databaseUrl: "file:./data/parley.db",
    rateLimit: 0,
  });
});

test("every problem is listed", () => {
  const wrong = { PORT: "99999", DATABASE_URL: "mysql://x", LOG_LEVEL: "loud", ASK_MAX_OPTIONS: "many" };
  expect(() => parseConfig(wrong)).toThrow(ConfigError);
  for (const name of Object.keys(wrong)) expect(() => parseConfig(wrong)).toThrow(new RegExp(`${name}: `));
});

test("no secret of a setting is repeated in its complaint", () => {
  expect(() => parseConfig({ DATABASE_URL: "mysql://ann:hunter2@db/parley" })).toThrow(
    expect.not.stringContaining("hunter2"),
  );
});

test("where others could reach it, it says under which address, encrypted, and people sign in", () => {
  const PUBLIC_URL = "https://parley.example";
  for (const HOST of ["0.0.0.0", "::", "192.0.2.7", "parley.example"]) {
    expect(() => parseConfig({ HOST })).toThrow(/Set PUBLIC_URL/);
    expect(() => parseConfig({ HOST, PUBLIC_URL: "http://parley.example" })).toThrow(/unencrypted/);
    expect(parseConfig({ HOST, PUBLIC_URL: "http://parley.example", ALLOW_HTTP: "true" }).host).toBe(HOST);
    expect(parseConfig({ HOST, PUBLIC_URL })).toMatchObject({ host: HOST, auth: { isReachable: true } });
  }
  expect(parseConfig({ PUBLIC_URL }).auth.isReachable).toBe(true);
  expect(parseConfig({ PUBLIC_URL: "http://localhost:8080" }).auth.isReachable).toBe(false);
  expect(parseConfig({}).auth).toMatchObject({ isReachable: false, allowKeyless: false, runners: ["admin"] });
  expect(() => parseConfig({ PUBLIC_URL, ALLOW_KEYLESS_AGENTS: "true" })).toThrow(/nobody else can reach/);
  expect(() => parseConfig({ PROXY_USER_HEADER: "X-User" })).toThrow(/PROXY_SECRET/);
  expect(() => parseConfig({ TLS_CERT_FILE: "a.pem" })).toThrow(/belong together/);
  expect(() => parseConfig({ OIDC_ISSUER: "https://id.example" })).toThrow(/OIDC_CLIENT_ID/);
  for (const HOST of ["127.0.0.1", "127.0.0.2", "::1", "localhost"]) expect(parseConfig({ HOST }).host).toBe(HOST);
});

test("groups at the provider give roles, whatever is in their names", () => {
  const oidc = { OIDC_ISSUER: "https://id.example", OIDC_CLIENT_ID: "parley", OIDC_CLIENT_SECRET: "s" };
  const rolesOf = (more: object) => {
    const { roles, onlyGroups } = parseConfig({ ...oidc, ...more }).auth.oidc ?? {};
    return [[...(roles ?? [])], onlyGroups];
  };
  expect(rolesOf({})).toEqual([[], false]);
  expect(rolesOf({ OIDC_ADMIN_GROUP: "bosses" })).toEqual([[["bosses", "admin"]], false]);
  const OIDC_ROLES = "cn=bosses,ou=groups=admin, all staff=member,guests=viewer";
  const groups = [
    ["cn=bosses,ou=groups", "admin"],
    ["all staff", "member"],
    ["guests", "viewer"],
  ];
  expect(rolesOf({ OIDC_ROLES })).toEqual([groups, true]);
  expect(rolesOf({ OIDC_ROLES, OIDC_ADMIN_GROUP: "root" })).toEqual([[...groups, ["root", "admin"]], true]);
  for (const wrong of ["staff", "staff=boss", "=admin", "staff=member,guests"])
    expect(() => parseConfig({ ...oidc, OIDC_ROLES: wrong })).toThrow(/OIDC_ROLES/);
});

test("an empty setting is an unset one; behind a proxy the rate is limited", () => {
  expect(parseConfig({ PORT: "", ASK_MAX_DEPTH: "" })).toMatchObject({ port: 3000, limits: { maxDepth: 10 } });
  expect(parseConfig({ PUBLIC_URL: "https://parley.example" }).rateLimit).toBe(600);
});

test("proxies are named by addresses and networks", () => {
  expect(parseConfig({ TRUSTED_PROXY: "10.0.0.0/8, 2001:db8::7," }).trustedProxies).toEqual([
    "10.0.0.0/8",
    "2001:db8::7",
  ]);
  for (const TRUSTED_PROXY of ["proxy.example", "10.0.0.0/99", "10.0.0.1;10.0.0.2"])
    expect(() => parseConfig({ TRUSTED_PROXY })).toThrow(/TRUSTED_PROXY/);
});

test(".env.example lists every setting, with its default", () => {
  const example = Object.fromEntries(
    readFileSync(".env.example", "utf8")
      .split("\n")
      .flatMap((line) => {
        const [, name, value] = /^#? ?([A-Z_0-9]+)=(.*)$/.exec(line) ?? [];
        return name === undefined ? [] : [[name, value]];
      }),
  );
  expect(parseConfig(example)).toEqual(parseConfig({}));
  const source = readFileSync("lib/config.ts", "utf8");
  const settings = [...source.matchAll(/^ {2}([A-Z_0-9]+): /gm)]
    .map(([, name]) => name)
    .filter((name) => name !== "NODE_ENV");
  expect(
    Object.keys(example)
      .filter((name) => !name.startsWith("ANTHROPIC_"))
      .sort(),
  ).toEqual(settings.sort());
});

test("a clone keeps its data in its own folder, an installed package in ~/.parley", () => {
  const clone = join(import.meta.dirname, "..");
  expect(homeOf(clone, { HOME: "/home/ann" })).toBe(clone);
  expect(homeOf("/usr/lib/node_modules/parley-hub", { HOME: "/home/ann" })).toBe("/home/ann/.parley");
  expect(homeOf(clone, { PARLEY_HOME: "/srv/parley" })).toBe("/srv/parley");
});

test("files are in the home, unless their path is absolute", () => {
  const located = (env: Record<string, string>) => {
    const { databaseUrl, audit } = inHome(parseConfig(env), "/srv/parley");
    return [databaseUrl, audit.file];
  };
  expect(located({})).toEqual(["file:/srv/parley/data/parley.db", "/srv/parley/data/audit.key"]);
  expect(located({ DATABASE_URL: "file:///var/p.db" })).toEqual(["file:/var/p.db", "/var/audit.key"]);
  const url = "postgresql://db/parley";
  expect(located({ DATABASE_URL: url })).toEqual([url, "/srv/parley/data/audit.key"]);
  expect(located({ AUDIT_KEY_FILE: "key" })[1]).toBe("/srv/parley/key");
  expect(located({ AUDIT_KEY_FILE: "/etc/key" })[1]).toBe("/etc/key");
});
