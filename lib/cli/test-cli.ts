import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { ensureCommands } from "../../scripts/setup/build-commands.mjs";
import { alone } from "../../scripts/setup/lock.mjs";

// Runs the built command in its own process, with pipes or in a pseudo-terminal.

const PARLEY = join(import.meta.dirname, "../../bin/parley.mjs");

export const buildCli = (): Promise<void> => alone("setup", ensureCommands);

export type Ran = { code: number | null; stdout: string; stderr: string };
type Options = { input?: string; env?: Record<string, string>; as?: "parley" | "AskUserQuestion"; cwd?: string };
/** `together`: stdout goes to the screen too. */
type SitOptions = Pick<Options, "env" | "as"> & { together?: boolean };

export type Running = {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  /** Waits until stderr holds it. */
  says: (text: string) => Promise<void>;
  ended: Promise<Ran>;
};

const plainEnv = (home: string) => ({
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: home,
  USER: "tester",
  NODE_ENV: "production" as const,
});

export function start(args: string[], { input, env = {}, as = "parley", cwd }: Options = {}): Running {
  const folder = mkdtempSync(join(tmpdir(), "parley-cli-"));
  const program = join(folder, as);
  symlinkSync(PARLEY, program);
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...plainEnv(folder), ...env },
    cwd: cwd ?? folder,
  });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  if (input !== undefined) child.stdin.end(input);
  child.stdin.on("error", () => {});
  let isClosed = false;
  const isOver = () => isClosed;
  const ended = once(child, "close").then(([code]) => {
    isClosed = true;
    rmSync(folder, { recursive: true, force: true });
    return { code, stdout: stdout(), stderr: stderr() };
  });
  const says = (text: string) => until(() => stderr().includes(text), stderr, isOver);
  return { child, stdout, stderr, says, ended };
}

export const run = (args: string[], options: Options = {}): Promise<Ran> =>
  start(args, { input: "", ...options }).ended;

export type Sitting = {
  /** Waits until the screen has shown it, since the last press. */
  sees: (text: string) => Promise<void>;
  /** Waits until Parley asks for keys, which is exactly as long as it hides the cursor. A prompt ends with its last key. */
  press: (...keys: string[]) => Promise<void>;
  /** Types at once, whatever the program is doing. */
  type: (keys: string) => void;
  screen: () => string;
  /** With everything that moves the cursor and colours. */
  raw: () => string;
  ended: Promise<{ code: number | null; stdout: string; screen: string }>;
};

export const KEY = { up: "\x1b[A", down: "\x1b[B", enter: "\r", space: " ", escape: "\x1b", interrupt: "\x03" };

/** In a pseudo-terminal with a person; stdout goes elsewhere, as when an agent reads it. */
export function sit(args: string[], { env = {}, as = "parley", together = false }: SitOptions = {}): Sitting {
  const folder = mkdtempSync(join(tmpdir(), "parley-pty-"));
  const program = join(folder, as);
  symlinkSync(PARLEY, program);
  const out = join(folder, "stdout");
  const names = args.map((_, index) => `ARG_${index}`);
  const command = `exec "$NODE" "$PROGRAM" ${names.map((name) => `"$${name}"`).join(" ")}${together ? "" : ' > "$OUT"'}`;
  const sitting = inTerminal(command, {
    ...plainEnv(folder),
    NODE: process.execPath,
    PROGRAM: program,
    OUT: out,
    ...Object.fromEntries(args.map((arg, index) => [`ARG_${index}`, arg])),
    ...env,
  });
  return {
    ...sitting,
    ended: sitting.ended.then((ended) => {
      const stdout = together ? "" : readFileSync(out, "utf8");
      rmSync(folder, { recursive: true, force: true });
      return { ...ended, stdout };
    }),
  };
}

type InTerminal = Omit<Sitting, "ended"> & {
  child: ChildProcess;
  ended: Promise<{ code: number | null; screen: string }>;
};

const HIDE_CURSOR = "\x1b[?25l";
const SHOW_CURSOR = "\x1b[?25h";

/** Any program in a pseudo-terminal. */
export function inTerminal(
  command: string,
  env: Record<string, string>,
  cwd?: string,
  size = "cols 60 rows 30",
): InTerminal {
  const child = spawn("script", ["-qefc", `stty ${size}; ${command}`, "/dev/null"], {
    env: { TERM: "xterm-256color", LANG: "C.UTF-8", SHELL: "/bin/sh", NODE_ENV: "production", ...env },
    cwd,
  });
  child.stdin.on("error", () => {});
  const raw = collect(child.stdout);
  let from = 0;
  const screen = () => stripVTControlCharacters(raw());
  let isClosed = false;
  const isOver = () => isClosed;
  const ended = once(child, "close").then(([code]) => {
    isClosed = true;
    return { code, screen: screen() };
  });
  const type = (keys: string) => {
    from = screen().length;
    child.stdin.write(keys);
  };
  return {
    child,
    type,
    sees: (text) => until(() => screen().slice(from).includes(text), screen, isOver),
    press: async (...keys) => {
      await until(() => raw().lastIndexOf(HIDE_CURSOR) > raw().lastIndexOf(SHOW_CURSOR), screen, isOver);
      type(keys.join(""));
    },
    screen,
    raw,
    ended,
  };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = "";
  stream.setEncoding("utf8");
  stream.on("data", (part: string) => {
    text += part;
  });
  return () => text;
}

/** As long as a slow machine needs, and less than the timeout of a test, so that it fails with the output so far. */
export const PATIENCE_MS = 200_000;

/** `isOver`: the program has ended, and nothing more will come. */
export async function until(holds: () => boolean, shown: () => string, isOver = () => false): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(20)) {
    const over = isOver();
    if (holds()) return;
    if (over) break;
  }
  throw new Error(`This never came. There was:\n${shown()}`);
}
