import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { portOf } from "../../http/port-of.ts";
import { buildCli, run } from "../test-cli.ts";

// Whatever answers instead of Parley: one clear sentence, the exit code, nothing on stdout, and nothing written.

let folder: string;
let server: Server | undefined;
beforeAll(buildCli);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-strange-"));
  writeFileSync(join(folder, "thread.jsonl"), "{}\n");
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  server?.closeAllConnections();
  server?.close();
});

const COMMANDS = [
  ["ask", '{"question":"Which port?"}'],
  ["answer"],
  ["answer", "ask_1"],
  ["skills"],
  ["watch"],
  ["sessions"],
  ["show", "ses_1"],
  ["export", "ses_1"],
  ["export", "ses_1", "out.jsonl"],
  ["import", "thread.jsonl"],
];

async function urlOf(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${portOf(server)}`;
}

async function allSay(url: string, sentence: RegExp, code = 4): Promise<void> {
  const ran = await Promise.all(
    COMMANDS.map((args) =>
      run(args, { env: { PARLEY_URL: url }, cwd: folder }).then((result) => ({ args, ...result })),
    ),
  );
  for (const { args, stderr, ...rest } of ran) {
    expect({ args, ...rest }).toEqual({ args, code, stdout: "" });
    expect(stderr.replace(/ Trying again\.$/m, ""), args.join(" ")).toMatch(sentence);
  }
  expect(readdirSync(folder)).toEqual(["thread.jsonl"]);
}

test("nothing listens", () => allSay("http://127.0.0.1:1", /^Parley cannot be reached at http:\/\/127.0.0.1:1\.\n$/));

test("something accepts the connection and never replies", async () => {
  await allSay(await urlOf(() => {}), /^Parley does not answer at \S+\.\n$/);
});

test("the reply is cut off", async () => {
  // More than the kernel buffers: once it is written, the command has read the head and is in the middle of the body.
  const beginning = Buffer.alloc(32 * 1024 * 1024, '{"type":"user"}\n');
  const url = await urlOf((_req, res) => {
    res.writeHead(200, { "content-type": "application/x-ndjson", "content-length": beginning.length + 1 });
    res.write(beginning, () => res.destroy());
  });
  const ran = await run(["export", "ses_1", "out.jsonl"], { env: { PARLEY_URL: url }, cwd: folder });
  expect(ran).toMatchObject({ code: 4, stderr: `Parley at ${url} stopped responding: the export is incomplete.\n` });
  expect(readdirSync(folder)).toEqual(["thread.jsonl"]);
  expect(await run(["sessions"], { env: { PARLEY_URL: url } })).toMatchObject({
    code: 4,
    stderr: `Parley cannot be reached at ${url}.\n`,
  });
});

test.each([
  [200, "text/html", "<html>Welcome</html>"],
  [404, "text/html", "<html>Not found</html>"],
  [200, "application/json", '{"hello":"world"}'],
  [200, "application/json", "null"],
])("something else replies to %s with %s %s", async (status, type, body) => {
  const url = await urlOf((_req, res) => void res.writeHead(status, { "content-type": type }).end(body));
  await allSay(url, /^The server at \S+ is not Parley[^\n]*\.\n$/);
});

test("a proxy says that its server is down", async () => {
  const url = await urlOf((_req, res) => void res.writeHead(502, { "content-type": "text/html" }).end("<html>"));
  await allSay(url, /^Parley cannot be reached at \S+ \(502\)\.\n$/);
});

test("a Parley of another version that does not know the call", async () => {
  const url = await urlOf((req, res) => {
    const health = { status: "ok", version: "9.9.9", database: "reachable", migrations: "current" };
    const refused = { success: false, error: { code: "invalid_request", message: "There is no such call." } };
    res.writeHead(req.url === "/health" ? 200 : 400, { "content-type": "application/json" });
    res.end(JSON.stringify(req.url === "/health" ? health : refused));
  });
  const doctor = await run(["doctor"], { env: { PARLEY_URL: url } });
  expect([doctor.code, doctor.stdout]).toEqual([
    1,
    expect.stringContaining("✗ Version: Parley is version 9.9.9, this"),
  ]);
  await allSay(
    url,
    /^There is no such call\.\nParley is version 9\.9\.9, this command \S+\. Use the same version for both\.\n$/,
    1,
  );
});
