import { Worker } from "node:worker_threads";

/** The file descriptor of a pipe that the main process holds open for as long as it runs. */
export const LIFELINE = 4;

/**
 * Ends this process and removes its folder when the main process is gone, however it ended. A separate thread watches,
 * because a page that renders forever would keep this one from noticing.
 */
export function followMainProcess(folder: string): void {
  const watch = `
    const { rmSync } = require("node:fs");
    const { Socket } = require("node:net");
    const { workerData: folder } = require("node:worker_threads");
    const end = () => {
      rmSync(folder, { recursive: true, force: true });
      process.kill(process.pid, "SIGKILL");
    };
    new Socket({ fd: ${LIFELINE} }).on("error", end).on("close", end).resume();`;
  const resourceLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 };
  new Worker(watch, { eval: true, workerData: folder, execArgv: [], resourceLimits }).unref();
}
