import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { acknowledgementFault } from "../fuzz/judge.ts";
import { testOptions } from "../kit/test-scenario.ts";
import { fuzzSocket, runFuzzSocket } from "./fuzz-socket.ts";

const size = { sqlite: fuzzSocket.small.times, postgresql: 500 };

test.each(["sqlite", "postgresql"] as const)("hostile input to the socket is harmless on %s", async (kind) => {
  const { violations, figures } = await fuzzSocket.run(await testOptions(kind, size[kind]));
  expect(violations).toEqual([]);
  expect(figures.inputs).toBe(size[kind]);
  for (const progress of ["accepted", "refused", "broken frames", "handshakes", "cut"])
    expect(figures[progress], progress).toBeGreaterThan(size[kind] / 50);
});

test("a server that breaks is detected", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-fault-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "fault"), "");
  const options = await testOptions("sqlite", 200);
  const env = { PARLEY_FAULT: join(folder, "fault") };
  const running = runFuzzSocket({ ...options, env }, () => writeFileSync(join(folder, "fault"), "broken"));
  expect((await running).violations.join("\n")).toMatch(/a failure of ours: .*"INTERNAL"/);
});

const refusal = (code: string) => ({ ok: false, error: { code, message: "It is so." } });

test.each([
  ["accepted", { ok: true, status: "answered" }, undefined],
  ["refused as the table says", refusal("INVALID_ANSWER"), undefined],
  ["with a failure of ours", refusal("INTERNAL"), /of ours/],
  ["with an unknown code", refusal("TEAPOT"), /not in the table/],
  ["without a code", { ok: false }, /not an acknowledgement/],
  ["with a stack", { ...refusal("INVALID_ANSWER"), stack: "at x" }, /not an acknowledgement/],
  ["empty", null, /not an acknowledgement/],
])("an acknowledgement %s is judged", (_, reply, fault) => {
  if (fault === undefined) expect(acknowledgementFault(reply)).toBeUndefined();
  else expect(acknowledgementFault(reply)).toMatch(fault);
});
