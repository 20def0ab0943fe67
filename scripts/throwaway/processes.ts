import { readdirSync, readFileSync } from "node:fs";

/** Whether a process is running. One that has ended counts as ended before its parent has collected it. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // It belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return statusOf(pid)?.state !== "Z";
}

/** The running children of a process. Only Linux lists them. */
export function childrenOf(parent: number): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => statusOf(pid)?.parent === parent && isRunning(pid));
}

function statusOf(pid: number): { state: string; parent: number } | undefined {
  try {
    const [state = "", parent] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}
