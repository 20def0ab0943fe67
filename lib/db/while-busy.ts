import { BusyError, StorageError } from "./errors.ts";

const PATIENCE_MS = 5_000;

/** Repeats the work as long as another process holds SQLite's write lock, but not forever. */
export async function whileBusy<Result>(work: () => Promise<Result>): Promise<Result> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BusyError)) throw error;
      if (performance.now() > until)
        throw new StorageError("Another process writes to the database. Nothing was changed; try again.", {
          cause: error,
        });
      await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20));
    }
  }
}
