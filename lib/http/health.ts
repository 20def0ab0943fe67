import { toldOf } from "../protocol/errors.ts";

export type HealthOptions = {
  version: string;
  /** Throws if the database is unreachable. */
  pendingMigrations: () => Promise<string[]>;
  /** Throws if nothing can be written at the moment. */
  checkWriter: (withinMs: number) => Promise<void>;
};

type Health = {
  status: "ok" | "failing";
  version: string;
  /** `full`: there is no room on its disk. `replaced`: its file is no longer the one that Parley opened. */
  database: "reachable" | "unreachable" | "full" | "replaced";
  migrations: "current" | "pending" | "unknown";
};

/** How long the database may take to reply before it counts as unreachable. */
const REPLY_MS = 3_000;

/** Returns a function that checks whether Parley can serve requests. */
export function createHealth({ version, pendingMigrations, checkWriter }: HealthOptions): () => Promise<Health> {
  return async () => {
    try {
      const [pending] = await inTime(Promise.all([pendingMigrations(), checkWriter(REPLY_MS)]));
      const isCurrent = pending.length === 0;
      const migrations = isCurrent ? "current" : "pending";
      return { status: isCurrent ? "ok" : "failing", version, database: "reachable", migrations };
    } catch (error) {
      const reason = toldOf(error)?.details?.reason;
      const database = reason === "disk_full" ? "full" : reason === "file_replaced" ? "replaced" : "unreachable";
      return { status: "failing", version, database, migrations: "unknown" };
    }
  };
}

/** Rejects after a while, so that a health check gets a reply even if the database does not answer. */
async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("the database does not answer")), REPLY_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
