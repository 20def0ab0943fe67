// @ts-check
// A PostgreSQL server for tests and benchmarks, new each time and removed without a trace afterwards.
//
// The server runs under a supervisor: this file in a separate process, whose standard input is a pipe from its
// parent. However the parent ends, kill -9 included, the pipe closes, and the supervisor stops PostgreSQL and
// deletes its folder.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { chmod, chown, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { postgresPrograms } from "./postgres-programs.mjs";

const self = fileURLToPath(import.meta.url);

/**
 * Starts a fully durable server (fsync and synchronous_commit are on), or uses the one in
 * TEST_DATABASE_URL. `icuLocale` sorts text by that language, as many installations do; otherwise text sorts by code
 * point, as in SQLite. `fsync: "off"` gives a server that Parley must refuse.
 * @param {{ icuLocale?: string, fsync?: "on" | "off" }} [options]
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startPostgres({ icuLocale = "", fsync = "on" } = {}) {
  const given = process.env.TEST_DATABASE_URL;
  if (given && fsync === "on") return { url: given, stop: async () => {} };

  // Detached, because Ctrl-C must not reach the supervisor before its parent has finished.
  const supervisor = spawn(process.execPath, [self, "supervise", icuLocale, fsync], {
    detached: true,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(supervisor, "exit");
  supervisor.stdin.on("error", () => {});
  const [line] = await Promise.race([once(createInterface(supervisor.stdout), "line"), exited.then(() => [undefined])]);
  /** @type {{ url?: string, error?: string }} */
  const report = typeof line === "string" ? JSON.parse(line) : {};
  if (!report.url) throw new Error(report.error ?? "The PostgreSQL supervisor exited before PostgreSQL was up.");

  // A parent that forgets to stop it can still exit, which closes the pipe.
  supervisor.unref();
  for (const stream of [supervisor.stdin, supervisor.stdout]) /** @type {import("node:net").Socket} */ (stream).unref();
  return {
    url: report.url,
    stop: async () => {
      supervisor.ref();
      supervisor.stdin.end();
      await exited;
    },
  };
}

/** @param {string} icuLocale @param {string} fsync */
async function supervise(icuLocale, fsync) {
  const ending = new AbortController();
  const end = () => ending.abort();
  process.stdin.on("end", end).on("error", end).resume();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, end);
  process.stdout.on("error", end);

  process.umask(0o022); // The user that runs PostgreSQL must be able to read these files.
  const user = await userForServer();
  const folder = await mkdtemp(path.join(temporaryFolder(user), "parley-postgres-"));
  try {
    const server = await launch(folder, user, icuLocale, fsync, ending.signal);
    process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
    await Promise.race([server.exited, aborted(ending.signal)]);
    await server.stop();
  } catch (error) {
    if (!ending.signal.aborted) {
      process.stdout.write(`${JSON.stringify({ error: error instanceof Error ? error.message : String(error) })}\n`);
      process.exitCode = 1;
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    process.stdin.destroy();
  }
}

/**
 * @param {string} folder
 * @param {{ uid: number, gid: number } | undefined} user
 * @param {string} icuLocale
 * @param {string} fsync
 * @param {AbortSignal} signal
 */
async function launch(folder, user, icuLocale, fsync, signal) {
  if (user) {
    await chmod(folder, 0o755);
    await chown(folder, user.uid, user.gid);
  }
  const programs = await postgresPrograms(folder);
  const data = path.join(folder, "data");
  const options = { ...user, cwd: folder, env: { ...process.env, LC_ALL: "C" }, signal };

  const locale = [`--locale=${process.platform === "linux" ? "C.UTF-8" : "C"}`];
  if (icuLocale) locale.push("--locale-provider=icu", `--icu-locale=${icuLocale}`);
  const initdb = spawn(
    path.join(programs, "initdb"),
    ["-D", data, "-U", "postgres", "--auth=trust", "--no-sync", "--encoding=UTF8", ...locale],
    { ...options, stdio: ["ignore", "pipe", "pipe"] },
  );
  const said = collect(initdb.stdout, initdb.stderr);
  const [code] = await once(initdb, "close");
  if (code !== 0) throw new Error(`PostgreSQL's initdb failed (exit code ${code}):\n${said()}`);

  // Another process may take the port before PostgreSQL binds it; if so, choose again.
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const server = await run(path.join(programs, "postgres"), data, { port, fsync }, options);
    if (server.up) return { ...server, url: `postgresql://postgres@127.0.0.1:${port}/postgres` };
    if (signal.aborted || attempt === 3) throw new Error(`PostgreSQL did not start:\n${server.log()}`);
  }
}

/** @param {string} program @param {string} data @param {{ port: number, fsync: string }} chosen @param {import("node:child_process").SpawnOptions} options */
async function run(program, data, chosen, options) {
  const settings = {
    ...chosen,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: 200,
    synchronous_commit: "on",
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  // Without initdb's abort signal, which would kill the server instead of stopping it properly.
  const child = spawn(program, ["-D", data, ...flags], {
    ...options,
    signal: undefined,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const { stderr } = child;
  if (!stderr) throw new Error("PostgreSQL has no log to read.");
  const log = collect(stderr);
  const exited = once(child, "exit");
  const ready = new Promise((resolve) => {
    stderr.on("data", () => log().includes("ready to accept connections") && resolve(true));
  });
  const up = (await Promise.race([ready, exited.then(() => false)])) === true;
  return { up, log, exited, stop: () => stop(child, exited) };
}

/**
 * Escalates: SIGINT ends all sessions and shuts down, SIGQUIT skips the checkpoint. After SIGKILL the
 * sessions notice that their parent is gone and exit.
 * @param {import("node:child_process").ChildProcess} child
 * @param {Promise<unknown>} exited
 */
async function stop(child, exited) {
  for (const [signal, timeoutMs] of /** @type {const} */ ([
    ["SIGINT", 5000],
    ["SIGQUIT", 2000],
    ["SIGKILL", 2000],
  ])) {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    const timer = new AbortController();
    await Promise.race([exited, aborted(AbortSignal.any([timer.signal, AbortSignal.timeout(timeoutMs)]))]);
    timer.abort();
  }
}

/** PostgreSQL refuses to run as root. */
async function userForServer() {
  if (process.getuid?.() !== 0) return undefined;
  const users = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  const user = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody");
  if (!user)
    throw new Error("PostgreSQL does not run as root, and there is no user `postgres` or `nobody` to run it as.");
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

/** @param {object | undefined} user */
function temporaryFolder(user) {
  const folder = path.resolve(os.tmpdir());
  if (!user) return folder;
  // The other user must be able to traverse every parent folder.
  for (let above = folder; ; above = path.dirname(above)) {
    if ((statSync(above).mode & 0o001) === 0) return "/tmp";
    if (above === path.dirname(above)) return folder;
  }
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("No free port was found.");
  return address.port;
}

/** Keeps the end of a program's output, enough to explain why it failed. @param {import("node:stream").Readable[]} streams */
function collect(...streams) {
  let text = "";
  for (const stream of streams) stream.on("data", (chunk) => (text = (text + chunk).slice(-8192)));
  return () => text.trim();
}

/** @param {AbortSignal} signal */
function aborted(signal) {
  return signal.aborted
    ? undefined
    : new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}

if (process.argv[1] === self && process.argv[2] === "supervise")
  await supervise(process.argv[3] ?? "", process.argv[4] ?? "on");
