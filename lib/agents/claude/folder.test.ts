import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseConfig } from "../../config.ts";
import { exposedIn } from "./folder.ts";

test("a folder that holds Parley's files is found, by any name", () => {
  const top = mkdtempSync(join(tmpdir(), "parley-folder-"));
  onTestFinished(() => rmSync(top, { recursive: true }));
  const data = join(top, "parley/data");
  mkdirSync(data, { recursive: true });
  mkdirSync(join(top, "parley-shop"));
  symlinkSync(top, join(top, "parley-shop/up"));
  const own = [data, join(data, "audit.key")];
  for (const folder of [top, join(top, "parley"), data, join(top, "parley-shop/up"), `${data}/../..`, "/"])
    expect([folder, exposedIn(folder, own)]).toEqual([folder, data]);
  for (const folder of [join(top, "parley-shop"), join(top, "missing"), join(data, "inside")])
    expect([folder, exposedIn(folder, own)]).toEqual([folder, undefined]);
});

test("Claude Code gets what it needs of the environment, what CLAUDE_ENV names, and none of Parley's secrets", () => {
  const given = { PATH: "/bin", HOME: "/h", ANTHROPIC_API_KEY: "k", GH_TOKEN: "g", CLAUDE_ENV: "GH_TOKEN, OTHER" };
  const secrets = {
    PARLEY_SECRET: "a".repeat(40),
    AUDIT_KEY: "b".repeat(40),
    OIDC_CLIENT_SECRET: "c",
    DATABASE_URL: "file:x.db",
  };
  const { claude } = parseConfig({ ...given, ...secrets });
  const { CLAUDE_ENV: _, ...passed } = given;
  expect(claude.env).toEqual(passed);
});
