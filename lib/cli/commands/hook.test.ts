import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../client.ts";
import { testDatabase } from "../../db/test-databases.ts";
import { testServer } from "../../http/test-server.ts";
import { buildCli, run, start } from "../test-cli.ts";
import { BEHIND_PROXY, testProxy } from "../test-proxy.ts";

// If Parley cannot help, the hook says so on stderr, prints nothing and exits successfully, and Claude Code asks as usual.

let folder: string;
beforeAll(async () => {
  await buildCli();
  folder = mkdtempSync(join(tmpdir(), "parley-hook-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const QUESTION = { question: "Which?", header: "Which", options: [{ label: "A" }, { label: "B" }] };
const call = { type: "tool_use", id: "toolu_1", name: "AskUserQuestion", input: { questions: [QUESTION] } };

function hookInput(transcript_path: string, { written = true, event = "PermissionRequest" } = {}) {
  writeFileSync(transcript_path, written ? `${JSON.stringify({ message: { content: [call] } })}\n` : "");
  return JSON.stringify({
    session_id: "s",
    transcript_path,
    cwd: folder,
    hook_event_name: event,
    tool_name: "AskUserQuestion",
    tool_input: call.input,
  });
}

function hook(url: string, { env = {}, ...about }: { written?: boolean; event?: string; env?: object } = {}) {
  const input = hookInput(join(folder, "session.jsonl"), about);
  return run(["hook", "claude-code", "--url", url], { input, env: { ...env } });
}

test("while the question is open at the terminal the hook keeps trying, and the card appears once Parley is back", async () => {
  const proxy = await testProxy();
  const { url } = proxy;
  const transcript_path = join(folder, "away.jsonl");
  const asking = start(["hook", "claude-code", "--url", url], { input: hookInput(transcript_path) });
  while (!asking.stderr().includes("Trying again while the question is open.")) await sleep(20);
  const database = await testDatabase("sqlite");
  const server = await testServer(database.url, { publicUrl: url, ...BEHIND_PROXY });
  const hub = createClient({ url: server.url });
  proxy.lead(Number(new URL(server.url).port));
  let open: { session_id: string; tool_use_id: string } | undefined;
  while (!open) [open] = (await hub.call("inbox", {})).items;
  const { session_id, tool_use_id } = open;
  await hub.call("answer", { body: { session_id, tool_use_id, answers: { "0": "2" } } });
  expect(JSON.parse((await asking.ended).stdout).hookSpecificOutput.decision.updatedInput.answers).toEqual({
    "Which?": "B",
  });

  // Over at the terminal before Parley is back: there is nothing to ask any more.
  const second = start(["hook", "claude-code", "--url", "http://127.0.0.1:1"], { input: hookInput(transcript_path) });
  while (!second.stderr().includes("Trying again")) await sleep(20);
  const result = { type: "tool_result", tool_use_id: "toolu_1", content: "A" };
  appendFileSync(transcript_path, `${JSON.stringify({ message: { content: [result] } })}\n`);
  expect(await second.ended).toMatchObject({ code: 0, stdout: "" });
  await proxy.close();
  await server.stop();
  await database.drop();
});

test("ignores calls that are not questions, are not in the transcript, or come from an agent that Parley runs itself", async () => {
  const silently = { code: 0, stdout: "", stderr: "" };
  expect(await hook("http://127.0.0.1:1", { event: "PreToolUse" })).toEqual(silently);
  expect(await run(["hook", "claude-code"], { input: "no JSON" })).toEqual(silently);
  expect(await hook("http://127.0.0.1:1", { env: { PARLEY_INSIDE: "1" } })).toEqual(silently);
  expect(await hook("http://127.0.0.1:1", { written: false })).toMatchObject({ code: 0, stdout: "" });
});

test("every prompt lets a long session ask more; without one it reaches a limit", async () => {
  const database = await testDatabase("sqlite");
  const server = await testServer(database.url, { limits: { maxDepth: 2 } });
  const hub = createClient({ url: server.url });
  const transcript_path = join(folder, "long.jsonl");
  const say = (entry: object) => appendFileSync(transcript_path, `${JSON.stringify(entry)}\n`);
  const asks = async (id: string) => {
    say({ type: "assistant", message: { content: [{ ...call, id }] } });
    const about = { session_id: "long", transcript_path, cwd: folder, tool_input: call.input };
    const input = { ...about, hook_event_name: "PermissionRequest", tool_name: "AskUserQuestion" };
    const asking = start(["hook", "claude-code", "--url", server.url], { input: JSON.stringify(input) });
    let ended = false;
    void asking.ended.then(() => {
      ended = true;
    });
    for (let done = false; !done && !ended; await sleep(20)) {
      for (const { session_id, tool_use_id } of (await hub.call("inbox", {})).items) {
        await hub.call("answer", { body: { session_id, tool_use_id, answers: { "0": "1" } } });
        done = true;
      }
    }
    const { stdout, stderr } = await asking.ended;
    say({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: id, content: "A" }] } });
    return stdout.includes('"Which?":"A"') || stderr;
  };
  say({ type: "user", message: { content: "begin" } });
  for (const id of ["t1", "t2", "t3", "t4", "t5"]) expect(await asks(id), id).toBe(true);
  const { sessions } = await hub.call("listSessions", {});
  expect(sessions).toMatchObject([{ current_round: 5, agent: "Claude Code" }]);
  for (let more = 0; more < 8; more++) say({ type: "assistant", message: { content: [call] } });
  await asks("t6");
  expect(await asks("t7")).toContain("who can allow more");
  say({ type: "user", message: { content: "go on" } });
  expect(await asks("t8")).toBe(true);
  await server.stop();
  await database.drop();
});
