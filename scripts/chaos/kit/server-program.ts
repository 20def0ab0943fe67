import { once } from "node:events";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";
import { bundle, serverEntries } from "../../setup/bundle.mjs";
import { alone } from "../../setup/lock.mjs";
import { root } from "../../setup/root.mjs";
import { setup } from "../../setup/setup.mjs";
import { fingerprint, stamped } from "../../setup/stamp.mjs";
import { PATIENT_S } from "../../throwaway/database.ts";
import { collectOutput, launchServer, type ServerProcess, startServer } from "../../throwaway/server.ts";

/** Programs with keys ask faster here than people could answer. */
const UNLIMITED = { ASK_MAX_PER_MINUTE: "0", ASK_MAX_OPEN: "0" };
const SOURCES = ["lib", "server.ts", "scripts/chaos/kit", "scripts/setup"];
const isSource = (file: string) => !/\.(test\.ts|md)$/.test(file);
const DAY_MS = 86_400_000;
const PRELOAD = fileURLToPath(new URL("./preload.ts", import.meta.url));

/** As long as a slow machine needs: only a failure takes this time. */
const REFUSES_MS = 180_000;

export type ServerOptions = {
  databaseUrl: string;
  /** Serves the real pages. Off by default, because they cost a second at the start. */
  pages?: boolean;
  env?: Record<string, string>;
  /** Options of Node itself. */
  flags?: string[];
};

export type ServerProgram = {
  start: (options: ServerOptions) => Promise<ServerProcess>;
  /** Launches a server that must refuse to start, and waits until it has exited. */
  refused: (env: Record<string, string>) => Promise<{ code: number | null; stdout: string; stderr: string }>;
  /** Launches a server and kills it after `afterMs`, whether or not it is up. */
  killWhileStarting: (options: ServerOptions, afterMs: number) => Promise<void>;
};

/**
 * Bundles the server as it ships, once for each state of the sources. The bundles have their own names and are in `dist`,
 * because the server uses the parent of `dist` as its home. The one without pages lacks only the page process.
 */
export async function buildServer(): Promise<ServerProgram> {
  const name = `chaos-${fingerprint(SOURCES, isSource).slice(0, 12)}`;
  const [full, plain, preload] = ["", "-plain", "-preload"].map((end) => `dist/${name}${end}.js`) as [
    string,
    string,
    string,
  ];
  await alone("setup", () =>
    stamped({
      title: "Building the server for faults",
      stamp: `dist/${name}.stamp`,
      makes: [full, plain, preload],
      key: name,
      work: async () => {
        removeOld();
        await Promise.all([
          bundle("the server", { entryPoints: serverEntries(name), outdir: "dist" }),
          bundle("the server", {
            entryPoints: serverEntries(`${name}-plain`),
            outdir: "dist",
            plugins: [withoutPages],
          }),
          bundle("the preload", { entryPoints: [PRELOAD], outfile: join(root, preload) }),
        ]);
      },
    }),
  );

  const command = ({ databaseUrl, pages = false, env = {}, flags = [] }: ServerOptions) => {
    // The preload ends the server when its input closes: even if this process is killed, no server stays behind.
    const options = {
      env: { DATABASE_URL: databaseUrl, DATABASE_TIMEOUT_S: String(PATIENT_S), ...UNLIMITED, ...env },
      nodeFlags: [...flags, "--import", join(root, preload)],
    };
    return [join(root, pages ? full : plain), options] as const;
  };

  return {
    start: async (options) => {
      if (options.pages) await buildPages();
      return startServer(...command(options));
    },
    refused: async ({ DATABASE_URL = "", ...env }) => {
      const child = launchServer(...command({ databaseUrl: DATABASE_URL, env }));
      const { stdout, stderr } = collectOutput(child);
      const timer = setTimeout(() => child.kill("SIGKILL"), REFUSES_MS);
      const [code] = await once(child, "close");
      clearTimeout(timer);
      return { code, stdout: stdout(), stderr: stderr() };
    },
    killWhileStarting: async (options, afterMs) => {
      const child = launchServer(...command(options));
      collectOutput(child);
      const exited = once(child, "exit");
      await Promise.race([exited, sleep(afterMs)]);
      child.kill("SIGKILL");
      await exited;
    },
  };
}

let built: Promise<void> | undefined;

/** Does nothing if they are current. Pages of older sources would fail on the hub of the current ones. */
function buildPages(): Promise<void> {
  built ??= setup({ dev: true, build: true });
  return built;
}

/** Removes bundles of older sources, unless a run that began today may still use them. */
function removeOld(): void {
  for (const file of readdirSync(join(root, "dist")).filter((name) => name.startsWith("chaos-"))) {
    const path = join(root, "dist", file);
    if (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > DAY_MS) rmSync(path, { force: true });
  }
}

const withoutPages: Plugin = {
  name: "without-pages",
  setup: ({ onLoad }) => {
    onLoad({ filter: /lib\/pages\/page-process\.ts$/ }, () => ({
      contents: "export class PageProcess { start() {} }",
    }));
    onLoad({ filter: /lib\/pages\/pages\.ts$/ }, () => ({
      contents: `export const servePages = async () => ({
        serve: async (_req, res) => res.writeHead(200, { "content-type": "text/html" }).end("page"),
        stop: async () => {},
      });`,
    }));
  },
};
