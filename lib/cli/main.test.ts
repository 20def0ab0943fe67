import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import type { ReadStream, WriteStream } from "node:tty";
import { beforeAll, expect, test } from "vitest";
import { BODIES } from "../../scripts/chaos/fuzz/bodies.ts";
import { bodyText, mutated } from "../../scripts/chaos/fuzz/mutate.ts";
import { oddText } from "../../scripts/chaos/fuzz/values.ts";
import { createRandom } from "../../scripts/chaos/kit/random.ts";
import { SHELL_HELP } from "./commands/ask-guide.ts";
import { run as localAsk } from "./commands/ask-local.ts";
import { COMMANDS, help, helpOf, teamHelp } from "./commands.ts";
import { CommandExit } from "./terminal/terminal.ts";
import { buildCli, run } from "./test-cli.ts";

beforeAll(buildCli);
const root = join(import.meta.dirname, "../..");

test("prints its version, its help and the help of each command", async () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(await run(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  const { stdout } = await run(["--help"]);
  const ofTeam = await run(["help", "team"]);
  expect(ofTeam).toEqual({ code: 0, stdout: teamHelp(), stderr: "" });
  for (const [name, { about, hidden, team }] of Object.entries(COMMANDS)) {
    if (!hidden) expect(team ? ofTeam.stdout : stdout).toContain(`parley ${name.padEnd(10)}${about}\n`);
  }
  expect(await run([])).toEqual({ code: 0, stdout, stderr: "" });
  expect((await run(["skills", "--help"])).stdout).toBe("Usage: parley skills\nList the question templates.\n");
  expect((await run(["ask", "-h"])).stdout).toBe(helpOf(COMMANDS.ask as NonNullable<typeof COMMANDS.ask>));
  const commands = Object.values(COMMANDS);
  for (const page of [help(), teamHelp(), SHELL_HELP, ...commands.map(helpOf)])
    expect(Math.max(...page.split("\n").map((line) => line.length)), page).toBeLessThanOrEqual(80);
  for (const page of [help(), teamHelp(), ...commands.filter(({ guide }) => !guide).map(helpOf)])
    expect(page.split("\n").length, page).toBeLessThanOrEqual(24);
});

test("the help of the commands that ask is all that an agent needs, and its examples work", async () => {
  for (const flag of ["--help", "-h"]) {
    expect(await run([flag], { as: "AskUserQuestion" })).toEqual({ code: 0, stdout: SHELL_HELP, stderr: "" });
  }
  const folder = mkdtempSync(join(tmpdir(), "parley-help-"));
  try {
    for (const name of ["AskUserQuestion", "parley"]) symlinkSync(join(root, "bin/parley.mjs"), join(folder, name));
    for (const page of [SHELL_HELP, helpOf(COMMANDS.ask as NonNullable<typeof COMMANDS.ask>)]) {
      for (const section of ["INPUT", "OUTPUT", "EXIT CODES", "NOTES", "WHEN TO USE", "WHEN NOT TO USE", "EXAMPLES"])
        expect(page).toContain(`\n\n${section}\n`);
      const examples = page
        .slice(page.indexOf("EXAMPLES\n"))
        .split(/\n\n|EXAMPLES\n/)
        .filter(Boolean);
      expect(examples).toHaveLength(2);
      for (const [nth, example] of examples.entries()) {
        const [script = "", printed] = example.split("\n  # ");
        const PATH = `${folder}:${dirname(process.execPath)}:/usr/bin:/bin`;
        const here = script.replace("parley ask", "parley ask --local");
        const output = execFileSync("sh", ["-c", here], {
          env: { PATH, NODE_ENV: "test" },
          input: nth ? "1,2\n" : "1\n",
          stdio: "pipe",
        });
        expect(String(output).trim()).toBe(printed?.trim());
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("refuses unknown commands and options with 1, and prints nothing on stdout", async () => {
  for (const args of [["nonsense"], ["ask", "--nonsense"], ["constructor"], ["show"], ["export"], ["import"]]) {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/Usage: parley|There is no command/);
  }
});

test("loads no package before it knows what to do, because that takes longer than starting", () => {
  const imports = [...readFileSync(join(root, "dist/parley.js"), "utf8").matchAll(/^import .*?"([^"]+)";?$/gm)];
  expect(imports.map(([, from]) => from).filter((from) => !/^(node:|\.\/parley\/)/.test(from ?? ""))).toEqual([]);
});

test("2,000 hostile arguments: each is refused in words, or asked and answered", async () => {
  const random = createRandom(20261116);
  const known = { session: "s", ask: undefined, target: { session_id: "s", tool_use_id: "t" } };
  let answered = 0;
  for (let i = 0; i < 2_000; i++) {
    const body = { ...BODIES.ask(random, known), dialect: "shell" };
    const text = bodyText(mutated(random, { method: "POST", path: "/", headers: {}, body })) ?? "";
    let printed = "";
    const terminal = {
      input: Readable.from([`${oddText(random)}\n`.repeat(12)]) as unknown as ReadStream,
      stdout: new Writable({ write: (_part, _encoding, done) => done() }) as unknown as WriteStream,
      stderr: new Writable({ write: (_part, _encoding, done) => done() }) as unknown as WriteStream,
      interactive: false,
      env: {},
      version: "0",
      print: (part: string) => {
        printed += part;
      },
      say: () => {},
    };
    try {
      expect(await localAsk(terminal, [text], {})).toBe(0);
      expect(Object.values(JSON.parse(printed).answers).every((one) => typeof one === "string" && one !== "")).toBe(
        true,
      );
      answered++;
    } catch (error) {
      expect(error, text.slice(0, 1_000)).toBeInstanceOf(CommandExit);
      expect(printed).toBe("");
    }
  }
  expect(answered).toBeGreaterThan(20);
});
