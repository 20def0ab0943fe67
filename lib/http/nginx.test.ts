import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { findNginx } from "../../scripts/setup/nginx.mjs";
import { ABOVE_SQL, testDatabase } from "../db/test-databases.ts";
import { byAgent, CHOICE } from "../hub/test-hub.ts";
import { testServer } from "./test-server.ts";
import { personalKey, setUp } from "./test-team.ts";

// A real nginx with nothing but `proxy_pass`: the configuration that once let the whole internet answer.

const nginx = await findNginx();
const program = "program" in nginx ? nginx.program : undefined;
if ("missing" in nginx) console.warn(`SKIPPED: Parley behind a real nginx. ${nginx.missing}`);

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });

async function startNginx(upstream: string, more = ""): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "parley-nginx-"));
  const port = await freePort();
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const temporary = paths.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ");
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; master_process off; error_log ${folder}/error.log; pid ${folder}/pid; events {}
     http { access_log off; ${temporary}
       server { listen 127.0.0.1:${port}; server_name parley.example.com; location / { proxy_pass ${upstream}; ${more} } } }`,
  );
  const child = spawn(program ?? "", ["-p", folder, "-e", `${folder}/error.log`, "-c", `${folder}/nginx.conf`]);
  onTestFinished(async () => {
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await exited;
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => fetch(url), { timeout: 120_000, interval: 50 });
  return url;
}

describe.skipIf(program === undefined).each(ABOVE_SQL)("behind a real nginx (%s)", (kind) => {
  const started = async (options: Parameters<typeof testServer>[1] = {}) => {
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const server = await testServer(database.url, options);
    onTestFinished(server.stop);
    const { conversation_id } = await server.hub.ask(byAgent(), { tool_use_id: "t", ...CHOICE });
    const answer = (url: string, headers: Record<string, string> = {}) =>
      fetch(`${url}/api/task/answer`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ session_id: conversation_id, question_id: "t", answer: "a" }),
      });
    const status = async () => (await server.hub.readAsk(byAgent(), { conversation_id, tool_use_id: "t" })).status;
    return { server, answer, status };
  };

  test.each([
    ["plain proxy_pass", ""],
    ["HTTP/1.1 with the usual headers", "proxy_http_version 1.1; proxy_set_header X-Real-IP $remote_addr;"],
    ["X-Forwarded-For", "proxy_http_version 1.1; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;"],
  ])("%s: nobody can answer, and the reply says what to do", async (_, more) => {
    const { server, answer, status } = await started();
    const url = await startNginx(server.url, more);
    const reply = await answer(url);
    expect(reply.status).toBe(403);
    expect(await reply.json()).toMatchObject({
      success: false,
      error: { code: "forbidden", message: expect.stringContaining("Parley is behind a proxy") },
    });
    expect((await fetch(`${url}/api/inbox`)).status).toBe(403);
    expect((await fetch(url)).status).toBe(403);
    expect(await status()).toBe("pending");
    expect((await answer(server.url)).status).toBe(200);
  });

  test("with an account, the proxy is expected, and only who proves who they are can answer", async () => {
    const { server, answer, status } = await started({ publicUrl: "https://parley.example.com" });
    const more =
      "proxy_set_header Host parley.example.com; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;";
    const url = await startNginx(server.url, more);
    expect((await answer(url)).status).toBe(401);
    const admin = await setUp(server);
    expect((await answer(url)).status).toBe(401);
    expect(await status()).toBe("pending");
    const { headers } = await personalKey(server, admin);
    expect((await answer(url, headers)).status).toBe(200);
    expect(await status()).toBe("answered");
  });
});
