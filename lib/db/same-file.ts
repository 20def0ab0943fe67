import { statSync } from "node:fs";
import { FileReplacedError, StorageError } from "./errors.ts";

/**
 * Returns a function that throws once the path no longer leads to the file that is there now. SQLite itself would go on
 * writing to a file that nobody can open again. A call takes a few microseconds.
 */
export function sameFile(path: string): () => void {
  const opened = statSync(path);
  return () => {
    const now = look(path);
    if (now?.ino !== opened.ino || now.dev !== opened.dev)
      throw new FileReplacedError(`the database file ${path} was removed or replaced`);
  };
}

function look(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw new StorageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
