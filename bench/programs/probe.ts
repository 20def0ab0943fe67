// Loaded into a server with --import, so that the benchmark can measure it from inside.
import { monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION_MS = 1;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

process.on("message", (message) => {
  if (message === "memory") {
    for (let times = 0; times < 3; times++) globalThis.gc?.();
    process.send?.(process.memoryUsage());
  } else if (message === "watch the loop") {
    delays.reset();
    delays.enable();
    process.send?.("watching");
  } else if (message === "longest stall") {
    delays.disable();
    process.send?.(delays.max / 1e6 - RESOLUTION_MS);
  }
});
