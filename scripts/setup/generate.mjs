// @ts-check
// Writes the two database clients, lib/db/generated/{sqlite,postgresql}, from the one schema.
//
// Prisma fixes the provider in the schema, so this script derives the PostgreSQL schema from prisma/schema.prisma.
import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { root } from "./root.mjs";

const source = path.join(root, "prisma/schema.prisma");
const derived = path.join(root, "prisma/generated/postgresql.prisma");

await mkdir(path.dirname(derived), { recursive: true });
await writeFile(derived, postgresqlSchema(await readFile(source, "utf8")));
const results = await Promise.all([source, derived].map(generate));
for (const { code, output } of results.filter((result) => result.code !== 0)) {
  process.stderr.write(output);
  process.exitCode = code ?? 1;
}

/** @param {string} schema */
function postgresqlSchema(schema) {
  const withProvider = replaceOnce(schema, 'provider = "sqlite"', 'provider = "postgresql"');
  return replaceOnce(withProvider, '"../lib/db/generated/sqlite"', '"../../lib/db/generated/postgresql"');
}

/** @param {string} text @param {string} from @param {string} to */
function replaceOnce(text, from, to) {
  if (text.split(from).length !== 2) throw new Error(`prisma/schema.prisma must have ${from} exactly once.`);
  return text.replace(from, to);
}

/**
 * @param {string} schema
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function generate(schema) {
  const prisma = path.join(
    path.dirname(createRequire(import.meta.url).resolve("prisma/package.json")),
    "build/index.js",
  );
  const child = spawn(process.execPath, [prisma, "generate", "--schema", schema], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      // Otherwise Prisma downloads an engine that generating never runs, and fails offline. Any program will do.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      CHECKPOINT_DISABLE: "1",
      PRISMA_HIDE_UPDATE_MESSAGE: "1",
    },
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });
}
