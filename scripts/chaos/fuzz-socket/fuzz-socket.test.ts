import { expect, test } from "vitest";
import { acknowledgementFault } from "../fuzz/judge.ts";
import { testOptions } from "../kit/test-scenario.ts";
import { fuzzSocket } from "./fuzz-socket.ts";

test("hostile input to the socket is harmless", async () => {
  const { violations, figures } = await fuzzSocket.run(await testOptions("sqlite", fuzzSocket.size.small));
  expect(violations).toEqual([]);
  expect(figures.inputs).toBe(fuzzSocket.size.small);
  for (const progress of ["accepted", "refused", "broken frames", "handshakes", "cut"])
    expect(figures[progress], progress).toBeGreaterThan(fuzzSocket.size.small / 50);
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
