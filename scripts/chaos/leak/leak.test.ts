import { expect, test } from "vitest";
import { buildServer } from "../kit/server-program.ts";
import { testOptions } from "../kit/test-scenario.ts";
import { leak, runLeak } from "./leak.ts";
import { PASSWORD } from "./requests.ts";

const SEED = 20260101;

test("no secret gets out", async () => {
  const { violations, figures } = await leak.run(await testOptions("sqlite", leak.size.small, SEED));
  expect(violations).toEqual([]);
  for (const status of [200, 201, 400, 403, 404, 409, 500, 503])
    expect(figures[`status ${status}`], `status ${status} was provoked`).toBeGreaterThan(0);
  expect(figures["failures in the log"]).toBeGreaterThan(0);
});

test("a server that logs its input is detected", async () => {
  const { violations } = await runLeak({ ...(await testOptions("sqlite", 1, SEED)), env: { PARLEY_GOSSIP: "1" } });
  expect(violations.join("\n")).toMatch(/in the log: .*authorization/);
});

test("no message reveals the password of a database that cannot be used", async () => {
  const program = await buildServer();
  const there = new URL((await testOptions("postgresql", 1)).databaseUrl);
  const urls = [
    `postgresql://parley:${PASSWORD}@127.0.0.1:1/parley`,
    `postgresql://parley:${PASSWORD}@no-such-host.invalid/parley`,
    `postgresql://nobody:${PASSWORD}@${there.host}/parley`,
    `postgresql://postgres:${PASSWORD}@${there.host}/no_such_database`,
    `postgresql://parley:${PASSWORD}#@${there.host}/parley`,
    `postgresql://parley:${PASSWORD}%zz@${there.host}/parley`,
    `postgresql://parley:${PASSWORD}@${there.host}:99999999/parley`,
    `postgresql://parley:${PASSWORD}@/?host=/nowhere`,
    `postgresql://parley:${PASSWORD}/x@${there.host}/parley`,
    `postgresql://parley:${PASSWORD}?x@${there.host}/parley`,
    `mysql://parley:${PASSWORD}@127.0.0.1/parley`,
    `${PASSWORD}`,
  ];
  for (const DATABASE_URL of urls) {
    const { code, stdout, stderr } = await program.refused({ DATABASE_URL, LOG_LEVEL: "trace" });
    expect(`${stdout}${stderr}`, DATABASE_URL).not.toContain(PASSWORD);
    expect({ code, stdout, lines: stderr.split("\n").length }, `${DATABASE_URL}: ${stderr}`).toEqual({
      code: 1,
      stdout: "",
      lines: 2,
    });
  }
});
