import { realpathSync } from "node:fs";
import { relative, resolve, sep } from "node:path";

/**
 * The first of these paths that is in the folder; undefined if none is. Claude Code reads any file in its folder without
 * asking.
 */
export function exposedIn(folder: string, paths: readonly string[]): string | undefined {
  const root = real(folder);
  return paths.find((path) => {
    const from = relative(root, real(path));
    return from !== ".." && !from.startsWith(`..${sep}`) && resolve(root, from) === real(path);
  });
}

/** Where links lead; a path that does not exist yet is taken as it is. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
