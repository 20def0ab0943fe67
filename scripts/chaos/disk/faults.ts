import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { DatabaseKind } from "../../throwaway/database.ts";
import { straceMissing, traced } from "../kit/server-probe.ts";

/** A database with a fault that can begin and end. */
export type Faulty = {
  databaseUrl: string;
  env: Record<string, string>;
  begin: (pid: number) => Promise<void>;
  end: () => Promise<void>;
  remove: () => void;
};

export type Fault = {
  name: string;
  database: DatabaseKind;
  /** Whether stored data can still be read. */
  reads: boolean;
  /** Why this machine cannot inject the fault, or undefined. */
  missing: () => string | undefined;
  /** What /health calls the database meanwhile. */
  health: "full" | "unreachable";
  prepare: (databaseUrl: string) => Faulty;
};

const always = () => undefined;
const root = () => (process.getuid?.() === 0 ? undefined : "only root may mount");

export const FAULTS: Fault[] = [
  {
    name: "SQLite: no page can be added",
    database: "sqlite",
    reads: true,
    missing: always,
    health: "full",
    prepare: inside("full"),
  },
  {
    name: "SQLite: read-only",
    database: "sqlite",
    reads: true,
    missing: always,
    health: "unreachable",
    prepare: inside("readonly"),
  },
  {
    name: "SQLite: no commit, no rollback, no reopening",
    database: "sqlite",
    reads: true,
    missing: always,
    health: "unreachable",
    prepare: inside("stuck"),
  },
  { name: "a full disk", database: "sqlite", reads: true, missing: mountable, health: "full", prepare: fullDisk },
  {
    name: "a disk that fails to sync",
    database: "sqlite",
    reads: true,
    missing: straceMissing,
    health: "unreachable",
    prepare: injected("fdatasync,fsync:error=EIO"),
  },
  {
    name: "a disk that turned read-only",
    database: "sqlite",
    reads: true,
    missing: straceMissing,
    health: "unreachable",
    prepare: injected("pwrite64,ftruncate:error=EROFS"),
  },
  {
    name: "PostgreSQL: a full disk",
    database: "postgresql",
    reads: true,
    missing: always,
    health: "full",
    prepare: inside("full"),
  },
  {
    name: "PostgreSQL: read-only",
    database: "postgresql",
    reads: true,
    missing: always,
    health: "unreachable",
    prepare: altered("set default_transaction_read_only = on", "reset default_transaction_read_only"),
  },
  {
    name: "PostgreSQL: out of reach",
    database: "postgresql",
    reads: false,
    missing: always,
    health: "unreachable",
    prepare: altered("with allow_connections false", "with allow_connections true"),
  },
];

/** Injected through the preload: the product's own connection meets the error that the driver would raise. */
function inside(fault: string): Fault["prepare"] {
  return (databaseUrl) => {
    const folder = mkdtempSync(join(tmpdir(), "parley-fault-"));
    const file = join(folder, "fault");
    writeFileSync(file, "");
    return {
      databaseUrl,
      env: { PARLEY_FAULT: file },
      begin: async () => writeFileSync(file, fault),
      end: async () => writeFileSync(file, ""),
      remove: () => rmSync(folder, { recursive: true, force: true }),
    };
  };
}

function mountable(): string | undefined {
  if (root() !== undefined) return root();
  const folder = mkdtempSync(join(tmpdir(), "parley-mount-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]).status === 0;
  if (mounted) spawnSync("umount", [folder]);
  rmSync(folder, { recursive: true, force: true });
  return mounted ? undefined : "this machine does not let root mount a file system";
}

/** A file system of a few megabytes, filled up by another file. */
function fullDisk(): Faulty {
  const folder = mkdtempSync(join(tmpdir(), "parley-full-"));
  const filler = join(folder, "filler");
  spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder]);
  return {
    databaseUrl: `file:${join(folder, "parley.db")}`,
    env: {},
    begin: async () => fill(filler),
    end: async () => rmSync(filler, { force: true }),
    remove: () => {
      spawnSync("umount", ["-l", folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Writes until the file system takes no more. */
function fill(path: string): void {
  const file = openSync(path, "w");
  try {
    for (;;) writeSync(file, Buffer.alloc(4_096));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  } finally {
    closeSync(file);
  }
}

/** Replaces what the kernel returns, for the server's process only. */
function injected(what: string): Fault["prepare"] {
  return (databaseUrl) => {
    let tracer: ReturnType<typeof spawn> | undefined;
    const calls = what.split(":")[0];
    const end = async () => {
      const ended = new Promise((resolve) => tracer?.once("exit", resolve));
      if (tracer?.exitCode === null && tracer.kill("SIGINT")) await ended;
    };
    return {
      databaseUrl,
      env: {},
      begin: async (pid) => {
        const options = ["-f", "-o", "/dev/null", "-e", `trace=${calls}`, "-e", `inject=${what}`, "-p", String(pid)];
        tracer = spawn("strace", options, { stdio: ["ignore", "ignore", "pipe"] });
        await traced(pid);
      },
      end,
      remove: () => void end(),
    };
  };
}

/** Changes a setting of the database itself, which applies to every new connection, and ends the existing ones. */
export function altered(on: string, off: string): Fault["prepare"] {
  return (databaseUrl) => {
    const name = new URL(databaseUrl).pathname.slice(1);
    const change = async (setting: string) => {
      const admin = new URL(databaseUrl);
      admin.pathname = "/postgres";
      const client = new pg.Client({ connectionString: admin.href });
      await client.connect();
      await client.query(`alter database ${name} ${setting}`);
      await client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
      await client.end();
    };
    return { databaseUrl, env: {}, begin: () => change(on), end: () => change(off), remove: () => {} };
  };
}
