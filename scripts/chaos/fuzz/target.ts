import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServerProcess } from "../../throwaway/server.ts";
import { readReport } from "../kit/server-probe.ts";
import { buildServer } from "../kit/server-program.ts";

export type FuzzTarget = {
  server: ServerProcess;
  /** The size of its heap in bytes, after garbage collection. */
  heap: () => Promise<number>;
  stop: () => Promise<void>;
};

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
  return {
    server,
    heap: async () => (await readReport(server, report)).heap,
    stop: async () => {
      await server.stop();
      program.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
