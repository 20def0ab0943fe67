import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerProcess } from "../../throwaway/server.ts";

type Connection = { file: string; readonly: boolean; synchronous: number; journal: string };

/** Asks the preload for a current report from inside the server (PARLEY_REPORT). */
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

/** Resident memory of a process in bytes, or 0 if the system does not report it. */
export function residentBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

let missing: string | undefined | null = null;

/** Ends as soon as strace reports that it is attached or gives up; the exit code says which. */
const TRY_STRACE = `
  said=$(mktemp); sleep 60 & traced=$!
  strace -o /dev/null -p $traced 2> "$said" & tracer=$!
  while kill -0 $tracer && ! grep -q attached "$said"; do sleep 0.02; done
  grep -q attached "$said"; attached=$?
  kill $traced; wait $tracer; rm "$said"; exit $attached`;

/** Why strace cannot be used here, or undefined. Some systems let it trace only its own children. */
export function straceMissing(): string | undefined {
  if (missing !== null) return missing;
  const { status } = spawnSync("sh", ["-c", TRY_STRACE], { stdio: "ignore" });
  missing = status === 0 ? undefined : "strace is missing, or may not trace here";
  return missing;
}

/** Resolves when every thread of the process has a tracer: strace reports after the first one. */
export async function traced(pid: number): Promise<void> {
  const isTraced = (thread: string) => {
    try {
      return /TracerPid:\s+[1-9]/.test(readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8"));
    } catch {
      // The thread has ended since it was listed: list them again.
      return false;
    }
  };
  while (!readdirSync(`/proc/${pid}/task`).every(isTraced)) await sleep(10);
}
