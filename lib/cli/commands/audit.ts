import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { ConfigError, readConfig } from "../../config.ts";
import { OpenError, StorageError } from "../../db/errors.ts";
import { withSnapshot } from "../../db/snapshot.ts";
import { type Checkpoint, parseCheckpoint, takeCheckpoint } from "../../hub/audit/checkpoint.ts";
import { auditLines, placeOf, requireReached } from "../../hub/audit/export-audit.ts";
import { auditKeyFile, ensureAuditKey, readAuditKey } from "../../hub/audit/key.ts";
import { beginNewChain } from "../../hub/audit/open-chain.ts";
import { type Totals, verifyRecord } from "../../hub/audit/verify-record.ts";
import { AuditPosition } from "../../protocol/audit.ts";
import { isParleyError } from "../../protocol/errors.ts";
import { programRoot } from "../terminal/program-root.ts";
import { CommandExit, EXIT, type Run, type Terminal } from "../terminal/terminal.ts";

/** More lines would scroll the first ones away. */
const MAX_LINES = 100;

type Installation = { place: { url: string; root: string }; key: { key: string | undefined; file: string } };

/**
 * Verifies the record on the database itself, next to a running server or without one; docs/audit.md says what this proves.
 * It asks no server: a verifier that does so would trust what it verifies.
 */
export const run: Run = async (terminal, ids, values) => {
  try {
    const installation = readInstallation();
    if (values["new-chain"]) return await startNewChain(terminal, installation);
    if (values.checkpoint) return await printCheckpoint(terminal, installation);
    if (values.export || values.follow || values.after !== undefined)
      return await exportEvents(terminal, installation, String(values.after ?? "0"), values.follow === true);
    const since = [values.since ?? []].flat().flatMap((value) => readCheckpoints(String(value)));
    return await verify(terminal, installation, ids, since);
  } catch (error) {
    if (
      isParleyError(error) ||
      error instanceof ConfigError ||
      error instanceof OpenError ||
      error instanceof StorageError
    )
      throw new CommandExit(EXIT.badInput, error.message);
    throw error;
  }
};

function readInstallation(): Installation {
  const root = programRoot();
  const { databaseUrl: url, audit } = readConfig(root);
  const place = { url, root };
  return { place, key: { key: audit.key, file: auditKeyFile(audit.file, place) } };
}

async function startNewChain(terminal: Terminal, { place, key }: Installation): Promise<number> {
  // Loaded here: verifying does not need Prisma.
  const { openDatabase } = await import("../../db/database.ts");
  const db = await openDatabase({ ...place, exclusive: true });
  await beginNewChain(db, ensureAuditKey(key), Date.now()).finally(() => db.close());
  terminal.print("Started a new chain of seals. Parley adds the earlier records to it the next time it starts.\n");
  return EXIT.answered;
}

async function printCheckpoint(terminal: Terminal, { place }: Installation): Promise<number> {
  const line = await withSnapshot(place, (db) => takeCheckpoint(db, Date.now()));
  if (line === undefined)
    throw new CommandExit(EXIT.badInput, "The chain of seals has no end in this database. Run `parley audit`.");
  terminal.print(`${line}\n`);
  return EXIT.answered;
}

const LOOK_MS = 1_000;

/** Prints the events that are sealed, and with `follow` all later ones: each look is a separate snapshot. */
async function exportEvents(
  terminal: Terminal,
  { place }: Installation,
  after: string,
  follow: boolean,
): Promise<number> {
  const position = AuditPosition.safeParse(after);
  if (!position.success)
    throw new CommandExit(EXIT.badInput, `--after ${after} is not the position of a line of the export.`);
  const at = placeOf(position.data);
  do {
    await withSnapshot(place, async (db) => {
      await requireReached(db, at);
      for await (const lines of auditLines(db, at))
        if (!terminal.stdout.write(lines)) await once(terminal.stdout, "drain");
    });
    if (follow) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  } while (follow);
  return EXIT.answered;
}

async function verify(
  terminal: Terminal,
  { place, key }: Installation,
  conversations: string[],
  since: Checkpoint[],
): Promise<number> {
  const secret = readAuditKey(key);
  const progress = showProgress(terminal);
  let lines = 0;
  const totals = await withSnapshot(place, (db) =>
    verifyRecord(db, {
      key: secret,
      conversations,
      since,
      report: (problem) => {
        progress.clear();
        if (++lines <= MAX_LINES) terminal.say(problem);
      },
      onProgress: progress.show,
    }),
  );
  progress.clear();
  if (lines > MAX_LINES) terminal.say(`… and ${lines - MAX_LINES} more`);
  terminal.print(`${summary(totals, since.length)}\n`);
  return totals.problems === 0 ? EXIT.answered : EXIT.badInput;
}

/** Takes a checkpoint itself, or a file with one checkpoint per line. */
function readCheckpoints(value: string): Checkpoint[] {
  const single = parseCheckpoint(value);
  if (single) return [single];
  if (!existsSync(value)) throw new CommandExit(EXIT.badInput, `--since ${value} is neither a checkpoint nor a file.`);
  const lines = readFileSync(value, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  if (lines.length === 0) throw new CommandExit(EXIT.badInput, `${value} holds no checkpoint.`);
  return lines.map((line, index) => {
    const checkpoint = parseCheckpoint(line);
    if (!checkpoint) throw new CommandExit(EXIT.badInput, `Line ${index + 1} of ${value} is not a checkpoint.`);
    return checkpoint;
  });
}

function summary({ conversations, events, sealed, problems, chain }: Totals, checkpoints: number): string {
  const unsealed = events - sealed;
  const found = problems === 0 ? "no problem found" : `${problems} ${problems === 1 ? "problem" : "problems"} found`;
  const sentences = [`${conversations} conversations with ${events} events: ${found}.`];
  if (unsealed > 0) sentences.push(`${unsealed} ${unsealed === 1 ? "event is" : "events are"} not sealed yet.`);
  if (chain.head) {
    const { began_at, key_fingerprint } = chain.head;
    sentences.push(`${chain.seals} seals since ${new Date(began_at).toISOString()}, key ${key_fingerprint}.`);
  }
  if (checkpoints > 0)
    sentences.push(`Compared with ${checkpoints} ${checkpoints === 1 ? "checkpoint" : "checkpoints"}.`);
  return sentences.join(" ");
}

function showProgress({ stderr }: Terminal) {
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
