import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildCli, run } from "./test-cli.ts";

// Where Parley cannot help, the hook says so, prints nothing and fails nothing: Claude Code asks by itself.

let folder: string;
beforeAll(async () => {
  await buildCli();
  folder = mkdtempSync(join(tmpdir(), "parley-hook-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const QUESTION = { question: "Which?", header: "Which", options: [{ label: "A" }, { label: "B" }] };
const call = { type: "tool_use", id: "toolu_1", name: "AskUserQuestion", input: { questions: [QUESTION] } };

function hook(url: string, { written = true, event = "PermissionRequest" } = {}) {
  const transcript_path = join(folder, "session.jsonl");
  writeFileSync(transcript_path, written ? `${JSON.stringify({ message: { content: [call] } })}\n` : "");
  const input = {
    session_id: "s",
    transcript_path,
    cwd: folder,
    hook_event_name: event,
    tool_name: "AskUserQuestion",
    tool_input: call.input,
  };
  return run(["hook", "claude-code", "--url", url], { input: JSON.stringify(input) });
}

test("nothing listens there, or it takes the connection and never answers", async () => {
  const nowhere = "http://127.0.0.1:1";
  expect(await hook(nowhere)).toEqual({ code: 0, stdout: "", stderr: `Parley cannot be reached at ${nowhere}.\n` });
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  expect(await hook(url)).toEqual({ code: 0, stdout: "", stderr: `Parley does not answer at ${url}.\n` });
  silent.close();
});

test("what is not about a question, or is not written down", async () => {
  const silently = { code: 0, stdout: "", stderr: "" };
  expect(await hook("http://127.0.0.1:1", { event: "PreToolUse" })).toEqual(silently);
  expect(await run(["hook", "claude-code"], { input: "no JSON" })).toEqual(silently);
  expect(await hook("http://127.0.0.1:1", { written: false })).toMatchObject({ code: 0, stdout: "" });
});
