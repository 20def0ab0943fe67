import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { testOptions } from "../kit/test-scenario.ts";
import { fuzz, runFuzz } from "./fuzz.ts";
import { faultOf } from "./judge.ts";
import { repliesIn } from "./wire.ts";

const SEED = 20260101;

test("hostile input is harmless", async () => {
  const { violations, figures } = await fuzz.run(await testOptions("sqlite", fuzz.size.small, SEED));
  expect(violations).toEqual([]);
  expect(figures.requests).toBe(fuzz.size.small);
  expect(figures.accepted).toBeGreaterThan(fuzz.size.small / 20);
});

test("hostile input about people, keys and spaces is harmless", async () => {
  const times = 500;
  const { violations, figures } = await runFuzz(await testOptions("sqlite", times, SEED), true);
  expect(violations).toEqual([]);
  expect(figures.accepted).toBeGreaterThan(times / 20);
});

test("a server that breaks is detected", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-fault-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "fault"), "broken");
  const options = await testOptions("sqlite", 300);
  const { violations } = await runFuzz({ ...options, env: { PARLEY_FAULT: join(folder, "fault") } });
  expect(violations.join("\n")).toMatch(/500: .*"internal"/);
  expect(violations.join("\n")).toMatch(/the log says: .*an injected fault/);
});

const made = '{"success":true,"session_id":"ses_1"}';
const error = (code: string) => JSON.stringify({ success: false, error: { code, message: "It is so." } });

test.each([
  ["as documented", 201, made, undefined],
  ["refused as the table says", 400, error("invalid_request"), undefined],
  ["with one field more", 201, made.replace("}", ',"secret":1}'), /more than is documented/],
  ["with a field missing", 201, '{"success":true}', /not as documented/],
  ["with another status", 200, made, /201 is documented/],
  ["with a code that is not in the table", 400, error("teapot"), /without the error envelope/],
  ["with a code of another status", 404, error("invalid_request"), /invalid_request with the status 404/],
  ["with a bare text", 400, "Bad Request", /without the error envelope/],
  [
    "with a stack trace",
    400,
    error("invalid_request").replace("It is so.", "at ask (/srv/ask.ts:3:14)"),
    /stack trace/,
  ],
  ["with a 503", 503, error("storage_unavailable"), /503/],
])("a reply %s is judged", (_, status, text, fault) => {
  const judged = faultOf({ method: "POST", path: "/api/sessions", status, text });
  if (fault === undefined) expect(judged).toBeUndefined();
  else expect(judged).toMatch(fault);
});

test("splits replies on the wire", () => {
  const one = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
  const two = "HTTP/1.1 400 Bad\r\ntransfer-encoding: chunked\r\n\r\n3\r\nbad\r\n0\r\n\r\n";
  expect(repliesIn(Buffer.from(one + two))).toMatchObject([
    { status: 200, text: "ok" },
    { status: 400, text: "bad" },
  ]);
  expect(repliesIn(Buffer.from("no HTTP at all"))).toBeUndefined();
});
