// @ts-check
// The two database clients, generated again when the schema or Prisma has changed.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { root } from "./root.mjs";
import { fingerprint, stamped } from "./stamp.mjs";
import { run } from "./step.mjs";

const require = createRequire(import.meta.url);
const files = ["lib/db/generated/sqlite/client.ts", "lib/db/generated/postgresql/client.ts"];

export const clientsKey = () => fingerprint(["prisma/schema.prisma", "scripts/setup/generate.mjs"]);

export async function ensureClients() {
  const { version } = require("prisma/package.json");
  await stamped({
    title: "Generating the database clients",
    stamp: "lib/db/generated/.stamp",
    makes: files,
    key: `${version} ${clientsKey()}`,
    work: generateClients,
  });
}

/** Prints nothing: `parley` calls it, whose output belongs to its caller. */
export async function generateMissingClients() {
  if (!files.every((file) => existsSync(path.join(root, file)))) await generateClients();
}

const generateClients = async () => {
  await run("Generating the database clients", process.execPath, ["scripts/setup/generate.mjs"]);
};
