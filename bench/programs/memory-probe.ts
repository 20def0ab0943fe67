// Loaded before the server with --import, so that the bench can ask what its memory holds after a full collection.
process.on("message", (message) => {
  if (message !== "memory") return;
  for (let times = 0; times < 3; times++) globalThis.gc?.();
  process.send?.(process.memoryUsage());
});
