// `parley audit`: verifies the record of a Parley on its database, beside a running server or without one. See
// docs/audit.md. Exits with 0 if everything is as it was written, otherwise with 1.
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ConfigError, readConfig } from "../lib/config.ts";
import { openDatabase } from "../lib/db/database.ts";
import { OpenError, StorageError } from "../lib/db/errors.ts";
import { withSnapshot } from "../lib/db/snapshot.ts";
import { type Checkpoint, parseCheckpoint, takeCheckpoint } from "../lib/hub/audit/checkpoint.ts";
import { auditKeyFile, ensureAuditKey, readAuditKey } from "../lib/hub/audit/key.ts";
import { beginNewChain } from "../lib/hub/audit/open-chain.ts";
import { type Totals, verifyRecord } from "../lib/hub/audit/verify-record.ts";

/** More would only scroll the first ones away. */
const MOST_LINES = 100;
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** A sentence that says why nothing was verified. */
class Refusal extends Error {}

process.exitCode = await run(process.argv.slice(2)).catch((error) => {
  const expected = [Refusal, ConfigError, OpenError, StorageError].some((kind) => error instanceof kind);
  if (!expected) throw error;
  console.error(error.message);
  return 1;
});

async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args);
  const { databaseUrl: url, audit } = readConfig(root);
  const place = { url, root };
  const settings = { key: audit.key, file: auditKeyFile(audit.file, place) };
  if (values["new-chain"]) {
    const db = await openDatabase({ ...place, exclusive: true });
    await beginNewChain(db, ensureAuditKey(settings), Date.now()).finally(() => db.close());
    console.log("A new chain of seals has begun. What was sealed before is taken into it when Parley starts.");
    return 0;
  }
  if (values.checkpoint) {
    const line = await withSnapshot(place, (db) => takeCheckpoint(db, Date.now()));
    if (line === undefined) throw new Refusal("The chain of seals has no end in this database. Run `parley audit`.");
    console.log(line);
    return 0;
  }
  const key = readAuditKey(settings);
  const since = (values.since ?? []).flatMap(readCheckpoints);
  const progress = showProgress();
  let lines = 0;
  const totals = await withSnapshot(place, (db) =>
    verifyRecord(db, {
      key,
      conversations: positionals,
      since,
      report: (problem) => {
        progress.clear();
        if (++lines <= MOST_LINES) console.error(problem);
      },
      onProgress: progress.show,
    }),
  );
  progress.clear();
  if (lines > MOST_LINES) console.error(`… and ${lines - MOST_LINES} more`);
  console.log(summary(totals, since.length));
  return totals.problems === 0 ? 0 : 1;
}

function readArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        checkpoint: { type: "boolean" },
        since: { type: "string", multiple: true },
        "new-chain": { type: "boolean" },
      },
    });
  } catch (error) {
    throw new Refusal(error instanceof Error ? error.message : String(error));
  }
}

/** A checkpoint itself, or a file with one on each line. */
function readCheckpoints(given: string): Checkpoint[] {
  const single = parseCheckpoint(given);
  if (single) return [single];
  if (!existsSync(given)) throw new Refusal(`--since ${given} is neither a checkpoint nor a file.`);
  const lines = readFileSync(given, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  if (lines.length === 0) throw new Refusal(`${given} holds no checkpoint.`);
  return lines.map((line, index) => {
    const checkpoint = parseCheckpoint(line);
    if (!checkpoint) throw new Refusal(`Line ${index + 1} of ${given} is not a checkpoint.`);
    return checkpoint;
  });
}

function summary({ conversations, events, sealed, problems, chain }: Totals, checkpoints: number): string {
  const open = events - sealed;
  const sentences = [
    `${conversations} conversations with ${events} events: ${problems === 0 ? "no problem found" : `${problems} ${problems === 1 ? "problem" : "problems"} found`}.`,
    ...(open > 0 ? [`${open} ${open === 1 ? "event is" : "events are"} not sealed yet.`] : []),
    ...(chain.head
      ? [
          `${chain.seals} seals since ${new Date(chain.head.began_at).toISOString()}, key ${chain.head.key_fingerprint}.`,
        ]
      : []),
    ...(checkpoints > 0 ? [`Compared with ${checkpoints} ${checkpoints === 1 ? "checkpoint" : "checkpoints"}.`] : []),
  ];
  return sentences.join(" ");
}

function showProgress() {
  const { stderr } = process;
  let next = 0;
  return {
    show: ({ conversations, events }: Omit<Totals, "chain">) => {
      const now = performance.now();
      if (!stderr.isTTY || now < next) return;
      next = now + 200;
      stderr.write(`\r\u001b[K${conversations} conversations, ${events} events …`);
    },
    clear: () => stderr.isTTY && stderr.write("\r\u001b[K"),
  };
}
