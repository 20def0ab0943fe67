import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServerProcess } from "../../throwaway/server.ts";
import { readReport, residentBytes } from "../kit/server-probe.ts";
import { buildServer } from "../kit/server-program.ts";

export type FuzzTarget = {
  server: ServerProcess;
  /** The size of its heap in bytes, after garbage collection. */
  heap: () => Promise<number>;
  /** Whether it has exited, which no input may cause. */
  isGone: () => boolean;
  /** Measures its memory, and returns the most it has used so far, in MiB. */
  residentMiB: () => number;
  /** Stops it, and returns what it did wrong. */
  stop: () => Promise<string[]>;
};

/** Far above what the server needs, far below what a leak of a few kilobytes per request would take. */
const MAX_RESIDENT_MIB = 700;

/** A server for hostile input: it logs everything, has little memory, and reports how much is in use. */
export async function startFuzzTarget(databaseUrl: string, env: Record<string, string>): Promise<FuzzTarget> {
  const folder = mkdtempSync(join(tmpdir(), "parley-fuzz-"));
  const report = join(folder, "report.json");
  const program = await buildServer();
  const server = await program.start({
    databaseUrl,
    env: { PARLEY_REPORT: report, LOG_LEVEL: "trace", ...env },
    flags: ["--expose-gc", "--max-old-space-size=256"],
  });
  let largest = 0;
  const isGone = () => server.child.exitCode !== null || server.child.signalCode !== null;
  return {
    server,
    heap: async () => (await readReport(server, report)).heap,
    isGone,
    residentMiB: () => {
      if (!isGone()) largest = Math.max(largest, residentBytes(server.pid));
      return Math.round(largest / 2 ** 20);
    },
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
      const failed = /^.*(a request failed|background work failed|Error:).*$/m.exec(server.output());
      const MiB = Math.round(largest / 2 ** 20);
      return [
        ...(failed ? [`the log says: ${failed[0].slice(0, 1_000)}`] : []),
        ...(MiB > MAX_RESIDENT_MIB ? [`the server grew to ${MiB} MiB`] : []),
      ];
    },
  };
}

/** Work on a server that broke off: it is gone, or does not respond. */
export function goneBy(error: unknown, { server }: FuzzTarget): string {
  const why = error instanceof Error ? error.message : error;
  return `the server is gone: ${why} ${server.output().slice(-800)}`;
}

/** How often each status was returned, as figures of a report. */
export function statusFigures(statuses: ReadonlyMap<number, number>): Record<string, number> {
  const sorted = [...statuses].sort(([a], [b]) => a - b);
  return Object.fromEntries(sorted.map(([status, count]) => [`status ${status}`, count]));
}
