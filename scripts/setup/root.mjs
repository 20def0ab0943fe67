// @ts-check
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the project. Written for any version of Node: the setup must be able to refuse an old one. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** Whether this is the installed package, which is built already and has no sources. */
export const isInstalled = !existsSync(path.join(root, "server.ts"));
