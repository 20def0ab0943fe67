import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { build } from "esbuild";
import { afterEach, expect, test } from "vitest";
import { isRunning } from "../../scripts/throwaway/processes.ts";
import { childEnvironment } from "../config.ts";
import { PageProcess } from "./page-process.ts";
import { ENDLESS, TEST_SETTINGS as settings, testProgram } from "./test-page-process.ts";

const cleanUp: Array<() => unknown> = [];
afterEach(async () => {
  for (const clean of cleanUp.splice(0).reverse()) await clean();
});

function programOf(text: string): string {
  const { program, remove } = testProgram(text);
  cleanUp.push(remove);
  return program;
}

test("a program that fails at every start is tried again, each time later", async () => {
  const exits: number[] = [];
  const onExit = () => exits.push(performance.now());
  const program = programOf("process.exit(3)");
  const pageProcess = new PageProcess({ program, settings, onExit, restartMs: 100 });
  pageProcess.start();
  cleanUp.push(() => pageProcess.stop());
  // Parley must not wait forever for pages that do not come.
  await pageProcess.firstStart;
  expect(pageProcess.isUp).toBe(false);
  await expect.poll(() => exits.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(4);
  const [first = 0, second = 0, third = 0, fourth = 0] = exits;
  // A timer may fire a millisecond early.
  expect(second - first).toBeGreaterThanOrEqual(99);
  expect(third - second).toBeGreaterThanOrEqual(199);
  expect(fourth - third).toBeGreaterThanOrEqual(399);
});

test("a process that no longer responds is killed and started again", async () => {
  const exits: string[] = [];
  const onExit = (reason: string) => exits.push(reason);
  const program = programOf(`process.send("ready"); ${ENDLESS}`);
  const pageProcess = new PageProcess({ program, settings, onExit, pingMs: 20, restartMs: 1 });
  pageProcess.start();
  cleanUp.push(() => pageProcess.stop());
  await expect.poll(() => exits.slice(0, 2), { timeout: 30_000 }).toEqual(["SIGKILL", "SIGKILL"]);
});

test("the process knows none of Parley's settings", async () => {
  const program = programOf(
    `import { writeFileSync } from "node:fs";
    writeFileSync(process.argv[1] + ".env", Object.keys(process.env).join());
    process.send("ready");
    setInterval(() => {}, 1_000);`,
  );
  const secrets = { AUDIT_KEY: "a".repeat(32), PARLEY_SECRET: "s".repeat(32), SMTP_URL: "smtp://name:word@host" };
  const env = childEnvironment({ ...process.env, ...secrets });
  const pageProcess = new PageProcess({ program, settings, env, onExit: () => {} });
  pageProcess.start();
  cleanUp.push(() => pageProcess.stop());
  await pageProcess.firstStart;
  const known = readFileSync(`${program}.env`, "utf8").split(",");
  expect(known).toContain("PATH");
  for (const name of Object.keys(secrets)) expect(known).not.toContain(name);
});

test("a stop ends a busy process too, and leaves no folder", async () => {
  const exits: string[] = [];
  const onExit = (reason: string) => exits.push(reason);
  const program = programOf(`process.send("ready"); ${ENDLESS}`);
  const pageProcess = new PageProcess({ program, settings, onExit });
  pageProcess.start();
  await pageProcess.firstStart;
  const folder = dirname(pageProcess.hubSocket);
  expect(existsSync(folder)).toBe(true);
  await pageProcess.stop();
  expect(existsSync(folder)).toBe(false);
  expect(exits).toEqual([]);
});

test("if the main process is killed, the page process ends, even while it renders, and leaves no folder", async () => {
  const pages = await bundled(`
    import { followMainProcess } from "./lifeline.ts";
    import { pageSettings } from "./settings.ts";
    followMainProcess(pageSettings().folder);
    process.send?.("ready");
    process.stdout.write(String(process.pid), () => { ${ENDLESS} });`);
  const main = await bundled(`
    import { isRunning } from "../../scripts/throwaway/processes.ts";
import { PageProcess } from "./page-process.ts";
    const options = ${JSON.stringify({ program: pages, settings })};
    const pageProcess = new PageProcess({ ...options, onExit: () => {} });
    pageProcess.start();
    await pageProcess.firstStart;
    process.send?.(pageProcess.hubSocket);`);
  const child = spawn(process.execPath, [main], { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  cleanUp.push(() => child.kill("SIGKILL"));
  const { stdout } = child;
  if (!stdout) throw new Error("no output");
  const [[hubSocket], [pid]] = await Promise.all([once(child, "message"), once(stdout, "data")]);
  const folder = dirname(hubSocket);
  expect(existsSync(folder)).toBe(true);
  expect(isRunning(Number(pid))).toBe(true);
  child.kill("SIGKILL");
  await expect.poll(() => isRunning(Number(pid)), { timeout: 30_000 }).toBe(false);
  expect(existsSync(folder)).toBe(false);
});

async function bundled(contents: string): Promise<string> {
  const outfile = programOf("");
  await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "silent",
  });
  return outfile;
}
