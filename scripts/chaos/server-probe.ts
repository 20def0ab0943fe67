import { spawn, spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerProcess } from "./server-process.ts";

type Connection = { file: string; readonly: boolean; synchronous: number; journal: string };

/** What the preload tells of the server from within (PARLEY_REPORT), as of now. */
export async function readReport(
  { child }: ServerProcess,
  file: string,
): Promise<{ connections: Connection[]; heap: number }> {
  rmSync(file, { force: true });
  child.kill("SIGUSR2");
  for (let tries = 0; ; tries++) {
    await sleep(20);
    try {
      return JSON.parse(readFileSync(file, "utf8"));
    } catch (error) {
      if (tries > 1_000) throw error;
    }
  }
}

/** Resident memory of a process, in bytes; 0 where the system does not tell. */
export function residentBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

let missing: string | undefined | null = null;

/** Why strace cannot be used here, or undefined. Some systems let it trace only what it started itself. */
export function straceMissing(): string | undefined {
  if (missing !== null) return missing;
  const child = spawn("sleep", ["30"], { stdio: "ignore" });
  const traced = spawnSync("strace", ["-o", "/dev/null", "-p", String(child.pid)], { timeout: 500 });
  child.kill("SIGKILL");
  // Ended by our patience, not by itself: it was attached.
  missing = traced.signal === "SIGTERM" ? undefined : "strace is missing, or may not trace here";
  return missing;
}
