import type { Database } from "../../db/database.ts";
import { OpenError } from "../../db/errors.ts";
import { createHead, findHead, type Head, hasCoveredEvents, removeChain, sealAt } from "../../db/record/seals.ts";
import { chainMac, headMac } from "./chain.ts";
import type { AuditKey } from "./key.ts";

/** Begins the seal chain of a database that has none. Refuses a wrong key, and a database that has lost its chain. */
export async function openChain(db: Database, key: AuditKey, now: number): Promise<void> {
  if (!(await findHead(db))) {
    // Nodes create the head before their first event: if there are events and still no head, it was removed.
    if ((await hasCoveredEvents(db)) && !(await findHead(db)))
      throw new OpenError(
        "The end of the audit chain (audit_head) is missing from the database: it was removed, or not restored from a backup. Run `parley audit` to see what is left, then `parley audit --new-chain` to begin a new chain.",
      );
    await begin(db, key, now);
  }
  await readHead(db, key);
}

/** For a lost key or a damaged chain: moves all seals from the old chain to a new one. */
export async function beginNewChain(db: Database, key: AuditKey, now: number): Promise<void> {
  await removeChain(db);
  await begin(db, key, now);
}

async function begin(db: Database, key: AuditKey, now: number): Promise<void> {
  const began = { position: 0, key_fingerprint: key.fingerprint, began_at: now };
  await createHead(db, { ...began, mac: headMac(key, chainMac(key, now), began) });
}

/** The end of the seal chain and the mac of its newest seal, after checking that both are genuine. */
export async function readHead(db: Database, key: AuditKey): Promise<{ head: Head; newest: string }> {
  const head = await findHead(db);
  if (!head)
    throw new OpenError("The end of the audit chain (audit_head) was removed from the database. Run `parley audit`.");
  if (head.key_fingerprint !== key.fingerprint)
    throw new OpenError(
      `The audit records of this database are sealed with the key ${head.key_fingerprint}; the key here is ${key.fingerprint}. Copy the audit key of the first node or of the backup (AUDIT_KEY_FILE or AUDIT_KEY); if it is lost, begin a new chain with \`parley audit --new-chain\`.`,
    );
  const newest = head.position === 0 ? chainMac(key, head.began_at) : (await sealAt(db, head.position))?.mac;
  if (newest === undefined || headMac(key, newest, head) !== head.mac)
    throw new OpenError(
      "The end of the audit chain was changed in the database. Run `parley audit` to see what does not match, then `parley audit --new-chain` to begin a new chain.",
    );
  return { head, newest };
}
