import { dirname, isAbsolute, join, resolve } from "node:path";

/** The path of a `file:` URL; a relative one starts at the installation's folder. */
export function sqlitePath(url: string, root: string): string {
  const path = url.slice("file:".length).replace(/^\/\/(?=\/)/, "");
  return isAbsolute(path) ? path : join(root, path);
}

/** Where an installation keeps its own files: next to the SQLite file, otherwise in `data`. */
function dataFolder(url: string, root: string): string {
  return url.startsWith("file:") ? dirname(sqlitePath(url, root)) : join(root, "data");
}

/** The path of a file that belongs to an installation: next to its data, unless it is configured. */
export function ownFile(name: string, configured: string | undefined, { url, root }: { url: string; root: string }) {
  return configured === undefined ? join(dataFolder(url, root), name) : resolve(root, configured);
}
