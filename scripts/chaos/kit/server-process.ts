import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { setup } from "../../setup/setup.mjs";

export const root = join(import.meta.dirname, "../../..");

const START_MS = 60_000;
const PRELOAD = fileURLToPath(new URL("./preload.ts", import.meta.url));

export type ServerOptions = {
  databaseUrl: string;
  /** Started only where pages matter: they cost a second. */
  pages?: boolean;
  env?: Record<string, string>;
  /** Options of Node itself. */
  flags?: string[];
};

export type ServerProcess = {
  port: number;
  pid: number;
  child: ChildProcess;
  exited: Promise<unknown>;
  /** Everything it has said so far, on both outputs. */
  said: () => string;
  stop: (signal?: NodeJS.Signals) => Promise<void>;
};

export type ServerProgram = {
  start: (options: ServerOptions) => Promise<ServerProcess>;
  /** Starts it and waits for its end: for what must refuse to start. */
  refused: (env: Record<string, string>) => Promise<{ code: number | null; stdout: string; stderr: string }>;
  /** Starts it and kills it so many milliseconds later, up or not. */
  killWhileStarting: (options: ServerOptions, afterMs: number) => Promise<void>;
  remove: () => void;
};

/**
 * The server as it is shipped, bundled anew so that it is the code of this moment, in files of its own beside the built
 * one: from there it finds the project. Without pages only Next is left out of it.
 */
export async function buildServer(): Promise<ServerProgram> {
  removeLeftOver();
  const name = `chaos-${process.pid}-${randomBytes(4).toString("hex")}`;
  const files = {
    full: join(root, `dist/${name}.js`),
    plain: join(root, `dist/${name}-plain.js`),
    preload: join(root, `dist/${name}-preload.js`),
  };
  await Promise.all([
    bundle(join(root, "server.ts"), files.full),
    bundle(join(root, "server.ts"), files.plain, [withoutPages]),
    bundle(PRELOAD, files.preload),
  ]);

  const launch = ({ databaseUrl, pages = false, env = {}, flags = [] }: ServerOptions): ChildProcess => {
    const args = [...flags, "--import", files.preload, pages ? files.full : files.plain];
    return spawn(process.execPath, args, {
      cwd: root,
      // The preload ends the server when this pipe closes: however this process ends, no server is left behind.
      stdio: ["pipe", "pipe", "pipe"],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: "production",
        NEXT_TELEMETRY_DISABLED: "1",
        PORT: "0",
        DATABASE_URL: databaseUrl,
        ...env,
      },
    });
  };

  return {
    start: async (options) => {
      if (options.pages && !existsSync(join(root, ".next/BUILD_ID"))) await setup({ dev: true, build: true });
      return started(launch(options));
    },
    refused: async ({ DATABASE_URL = "", ...env }) => {
      const child = launch({ databaseUrl: DATABASE_URL, env });
      const { stdout, stderr } = listen(child);
      const patience = setTimeout(() => child.kill("SIGKILL"), 30_000);
      const [code] = await once(child, "close");
      clearTimeout(patience);
      return { code, stdout: stdout(), stderr: stderr() };
    },
    killWhileStarting: async (options, afterMs) => {
      const child = launch(options);
      listen(child);
      const exited = once(child, "exit");
      await Promise.race([exited, sleep(afterMs)]);
      child.kill("SIGKILL");
      await exited;
    },
    remove: () => {
      for (const file of Object.values(files)) for (const end of ["", ".map"]) rmSync(`${file}${end}`, { force: true });
    },
  };
}

/** What a run left behind that was killed itself. */
function removeLeftOver(): void {
  mkdirSync(join(root, "dist"), { recursive: true });
  for (const file of readdirSync(join(root, "dist"))) {
    const pid = /^chaos-(\d+)-/.exec(file)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(root, "dist", file), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function bundle(entry: string, outfile: string, plugins: Plugin[] = []): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    plugins,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    packages: "external",
    logLevel: "silent",
  });
}

const withoutPages: Plugin = {
  name: "without-pages",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^next$/ }, () => ({ path: "next", namespace: "without-pages" }));
    onLoad({ filter: /.*/, namespace: "without-pages" }, () => ({
      contents: `export default () => ({
        prepare: async () => {},
        getRequestHandler: () => async (_req, res) => res.writeHead(200, { "content-type": "text/html" }).end("page"),
      });`,
    }));
  },
};

async function started(child: ChildProcess): Promise<ServerProcess> {
  const { stdout, stderr } = listen(child);
  const exited = once(child, "exit");
  child.stdin?.on("error", () => {});
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout?.on("data", () => {
      const found = / is at http:\/\/\S+:(\d+)\n/.exec(stdout());
      if (found) resolve(Number(found[1]));
    });
    exited.then(([code, signal]) => reject(new Error(`The server ended (${code ?? signal}): ${stdout()}${stderr()}`)));
    setTimeout(() => reject(new Error(`The server does not start: ${stdout()}${stderr()}`)), START_MS).unref();
  });
  return {
    port,
    pid: child.pid ?? 0,
    child,
    exited,
    said: () => stdout() + stderr(),
    stop: async (signal = "SIGTERM") => {
      child.kill(signal);
      await exited;
    },
  };
}

function listen(child: ChildProcess): { stdout: () => string; stderr: () => string } {
  let [out, err] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (err += text));
  return { stdout: () => out, stderr: () => err };
}
