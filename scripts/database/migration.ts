// Writes the next migration for both databases: the difference between prisma/schema.prisma and the migrations so far.
//
//   npm run migration -- add_labels    writes prisma/migrations/{sqlite,postgresql}/<time>_add_labels/migration.sql
//   npm run migration -- --check       writes nothing; fails if schema and migrations differ
//
// It needs no database and no Prisma engine: migrations are replayed on in-memory databases, and the engine is its
// WebAssembly build. Do not use `prisma migrate diff`: without its engine it always reports no difference.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from "@prisma/driver-adapter-utils";
import type { MigrationList, SchemaEngine } from "@prisma/schema-engine-wasm";
import * as engineBindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import { root } from "../setup/root.mjs";
import { postgresInMemory } from "./pglite-adapter.ts";

const databases = ["sqlite", "postgresql"] as const;
type Database = (typeof databases)[number];

// Exits explicitly: PGlite leaves a timer that would keep the process alive for ten more seconds.
process.exit(await run(process.argv[2] ?? ""));

async function run(argument: string): Promise<number> {
  if (argument === "--check") return check();
  if (/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(argument)) return write(argument);
  console.error("Usage: npm run migration -- <verb_object>, as in add_labels; or --check");
  return 2;
}

async function write(name: string): Promise<number> {
  const differences = await compare();
  if (differences.length === 0) console.log("Schema and migrations agree: nothing to write.");
  const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  for (const { database, script } of differences) {
    const folder = path.join("prisma/migrations", database, `${stamp}_${name}`);
    await mkdir(path.join(root, folder));
    await writeFile(path.join(root, folder, "migration.sql"), script);
    console.log(`Wrote ${folder}/migration.sql`);
  }
  return 0;
}

async function check(): Promise<number> {
  const differences = await compare();
  for (const { database, script } of differences) {
    console.error(`Schema and ${database} migrations differ; run: npm run migration -- <verb_object>\n\n${script}`);
  }
  return differences.length === 0 ? 0 : 1;
}

async function compare(): Promise<{ database: Database; script: string }[]> {
  await loadEngine();
  const differences: { database: Database; script: string }[] = [];
  for (const database of databases) {
    const script = await difference(database);
    if (script !== null) differences.push({ database, script });
  }
  return differences;
}

async function difference(database: Database): Promise<string | null> {
  const engine = await openEngine(database);
  const { exitCode, stdout } = await engine.diff({
    from: { tag: "migrations", ...(await migrationsSoFar(database)) },
    to: { tag: "schemaDatamodel", files: [await schemaOf(database)] },
    script: true,
    exitCode: true,
    filters: { externalTables: [], externalEnums: [] },
  });
  return exitCode === 0 ? null : (stdout ?? "");
}

async function schemaOf(database: Database) {
  const file = path.join(root, "prisma/schema.prisma");
  const content = (await readFile(file, "utf8")).replace('provider = "sqlite"', `provider = "${database}"`);
  return { path: file, content };
}

async function migrationsSoFar(database: Database): Promise<MigrationList> {
  const baseDir = path.join(root, "prisma/migrations", database);
  const entries = await readdir(baseDir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return {
    baseDir,
    lockfile: {
      path: "migration_lock.toml",
      content: await readFile(path.join(baseDir, "migration_lock.toml"), "utf8"),
    },
    shadowDbInitScript: "",
    migrationDirectories: await Promise.all(
      names.sort().map(async (name) => ({
        path: name,
        migrationFile: {
          path: "migration.sql",
          content: { tag: "ok" as const, value: await readFile(path.join(baseDir, name, "migration.sql"), "utf8") },
        },
      })),
    ),
  };
}

async function openEngine(database: Database): Promise<SchemaEngine> {
  const { path: file, content } = await schemaOf(database);
  const inMemory = database === "sqlite" ? new PrismaBetterSqlite3({ url: ":memory:" }) : postgresInMemory();
  const adapter = bindMigrationAwareSqlAdapterFactory(withScripts(inMemory));
  return engineBindings.SchemaEngine.new({ datamodels: [[file, content]] }, () => {}, adapter);
}

/**
 * The engine sends a whole migration as one statement, which both drivers refuse, and looks up a partial
 * index of SQLite by a double-quoted name, which this build of SQLite takes for a column.
 */
function withScripts(factory: SqlMigrationAwareDriverAdapterFactory): SqlMigrationAwareDriverAdapterFactory {
  const connectToShadowDb = async () => {
    const adapter = await factory.connectToShadowDb();
    const executeOne = adapter.executeRaw.bind(adapter);
    adapter.executeRaw = async (query) => {
      if (query.args.length > 0) return executeOne(query);
      await adapter.executeScript(query.sql);
      return 0;
    };
    const queryOne = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = (query) =>
      queryOne({ ...query, sql: query.sql.replace(/(type = 'index' AND name = )"(\w+)"/, "$1'$2'") });
    return adapter;
  };
  const { provider, adapterName } = factory;
  return { provider, adapterName, connect: () => factory.connect(), connectToShadowDb };
}

/** Once per process: a second instance would share the module's bindings and read the first one's memory. */
async function loadEngine(): Promise<void> {
  const entry = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm");
  const bytes = new Uint8Array(await readFile(path.join(path.dirname(entry), "schema_engine_bg.wasm")));
  const { instance } = await WebAssembly.instantiate(bytes, { "./schema_engine_bg.js": { ...engineBindings } });
  engineBindings.__wbg_set_wasm(instance.exports);
  const { __wbindgen_start: start } = instance.exports;
  if (typeof start === "function") start();
}
