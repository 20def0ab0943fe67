// `npm run package-test` does what a stranger would: packs Parley, installs the tarball in an empty folder with another
// home, runs it, asks, answers and stops it. The last line says whether everything held.
import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../setup/root.mjs";
import { run, step } from "../setup/step.mjs";
import { collectOutput, startServer } from "../throwaway/server.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-installed-"));
const home = join(folder, "home");
const prefix = join(folder, "prefix");
const installed = join(prefix, "lib/node_modules/parley-hub");
const bin = (name: string) => join(prefix, "bin", name);
const env = { HOME: home, USER: "stranger", PATH: `${join(prefix, "bin")}:${process.env.PATH}` };
mkdirSync(home);

const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const tarball = join(root, `${name}-${version}.tgz`);

const QUESTION = JSON.stringify({
  questions: [
    {
      question: "Deploy?",
      header: "Deploy",
      multiSelect: false,
      options: [
        { label: "Now", description: "Immediately" },
        { label: "Later", description: "Tonight" },
      ],
    },
  ],
});

try {
  await step("Packing", () => run("npm run package", "npm", ["run", "package"]));
  await step("Installing the tarball, with its native driver", async () => {
    // npm itself works as it does here; everything after it has another home.
    const settings = { npm_config_ignore_scripts: "false", ...headers() };
    await run("npm install", "npm", ["install", "--global", "--prefix", prefix, tarball], settings, folder);
  });
  assertPinned();
  const before = filesIn(installed);
  await step("Starting, asking, answering, stopping", useIt);
  await step("Starting again", startAgain);
  assert.deepEqual(filesIn(installed), before, "Parley wrote into its own package");
  console.log("package: everything held");
} catch (error) {
  console.error(error instanceof Error && "output" in error ? `${error.output}\n${error.message}` : error);
  console.log("package: failed");
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Whoever installs from the unpacked tarball gets our versions, by hash, from whichever registry npm uses. */
function assertPinned(): void {
  const packagesIn = (file: string): Record<string, Locked> => JSON.parse(readFileSync(file, "utf8")).packages;
  const ours = packagesIn(join(root, "package-lock.json"));
  const { "": itself, ...pinned } = packagesIn(join(installed, "npm-shrinkwrap.json"));
  assert.ok(itself && Object.keys(pinned).length > 50, "the shrinkwrap lists the packages");
  for (const [path, { version, integrity, resolved }] of Object.entries(pinned))
    assert.deepEqual([version, integrity, resolved], [ours[path]?.version, ours[path]?.integrity, undefined], path);
}

type Locked = { version: string; integrity?: string; resolved?: string };

async function useIt(): Promise<void> {
  const server = await startServer(bin("parley"), { args: ["serve", "--port", "0"], env });
  try {
    const page = await fetch(server.url);
    const html = await page.text();
    assert.equal(page.status, 200);
    const files = [...html.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|svg)[^"]*)"/g)].map(([, path = ""]) => path);
    assert.ok(files.length > 3, "the page loads its scripts and styles");
    for (const path of [
      ...files,
      "/connect",
      "/conversations",
      "/api/docs",
      "/api/docs/swagger-ui-bundle.js",
      "/health",
    ])
      assert.equal((await fetch(server.url + path)).status, 200, path);

    const at = { PARLEY_URL: server.url };
    const asking = command("parley", ["ask", QUESTION], at);
    await asking.says("waiting for an answer");
    assert.equal((await command("parley", ["answer", "--once"], at, "2\n").ended).code, 0);
    const { code, stdout } = await asking.ended;
    assert.deepEqual([code, JSON.parse(stdout)], [0, { answers: { Deploy: "Later" } }]);
    const local = await command("AskUserQuestion", [QUESTION], {}, "1\n").ended;
    assert.deepEqual([local.code, JSON.parse(local.stdout)], [0, { answers: { Deploy: "Now" } }]);
    assert.equal((await command("parley", ["--version"], {}).ended).stdout, `${version}\n`);
    assert.ok(existsSync(join(home, ".parley/data/parley.db")), "the data is in the home of the person");
  } finally {
    await server.stop();
  }
  assert.equal(server.child.exitCode, 0, server.output());
}

async function startAgain(): Promise<void> {
  const server = await startServer(bin("parley"), { args: ["serve", "--port", "0"], env });
  try {
    const { sessions } = await (await fetch(`${server.url}/api/sessions`)).json();
    assert.equal(sessions.length, 1, "the answered question is still there");
  } finally {
    await server.stop();
  }
  const audited = await command("parley", ["audit"], {}).ended;
  assert.equal(audited.code, 0, audited.stderr);
}

function command(program: string, args: string[], more: Record<string, string>, input = "") {
  const child = spawn(bin(program), args, { env: { ...env, ...more, NODE_ENV: "production" }, cwd: home });
  const { stdout, stderr } = collectOutput(child);
  child.stdin.end(input);
  const says = async (text: string) => {
    while (!stderr().includes(text)) await once(child.stderr, "data");
  };
  return { says, ended: once(child, "close").then(([code]) => ({ code, stdout: stdout(), stderr: stderr() })) };
}

/** Node usually comes with its headers, and the driver compiles without a download. */
function headers(): Record<string, string> {
  const node = dirname(dirname(process.execPath));
  return existsSync(join(node, "include/node/node.h")) ? { npm_config_nodedir: node } : {};
}

function filesIn(place: string): string[] {
  return readdirSync(place, { recursive: true }).map(String).sort();
}
