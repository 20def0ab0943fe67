import { dirname, isAbsolute, join } from "node:path";

/** The file of `file:…`; a relative one is below the folder of the installation. */
export function sqlitePath(url: string, root: string): string {
  const path = url.slice("file:".length).replace(/^\/\/(?=\/)/, "");
  return isAbsolute(path) ? path : join(root, path);
}

/** Where an installation keeps files of its own: beside the SQLite file, else in `data`. */
export function dataFolder(url: string, root: string): string {
  return url.startsWith("file:") ? dirname(sqlitePath(url, root)) : join(root, "data");
}
