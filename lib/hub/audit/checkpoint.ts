import { findHead, type Head, sealAt } from "../../db/record/seals.ts";
import type { Reader } from "../../db/snapshot.ts";

/** The end of the seal chain at some time. Keep it where people who can write to the database cannot. */
export type Checkpoint = { position: number; mac: string; began_at: number; at: number; key: string };

const NAME = "parley-audit";
const LINE = new RegExp(`^${NAME} seals=(\\d+) mac=(\\S+) began=(\\S+) at=(\\S+) key=(\\S+)$`);

/** Undefined if the database has no seal chain yet, or lacks its newest seal. */
export async function takeCheckpoint(db: Reader, now: number): Promise<string | undefined> {
  const head = await findHead(db);
  const mac = head?.position === 0 ? "none" : (await sealAt(db, head?.position ?? 0))?.mac;
  if (!head || mac === undefined) return undefined;
  const [began, at] = [head.began_at, now].map((time) => new Date(time).toISOString());
  return `${NAME} seals=${head.position} mac=${mac} began=${began} at=${at} key=${head.key_fingerprint}`;
}

/** Undefined if the line is not a checkpoint. */
export function parseCheckpoint(line: string): Checkpoint | undefined {
  const [, seals, mac, began, at, key] = LINE.exec(line.trim()) ?? [];
  if (!seals || !mac || !began || !at || !key) return undefined;
  const checkpoint = { position: Number(seals), mac, began_at: Date.parse(began), at: Date.parse(at), key };
  return Number.isNaN(checkpoint.began_at) || Number.isNaN(checkpoint.at) ? undefined : checkpoint;
}

/** How the chain differs from the checkpoint; undefined if it only grew. `mac` is the current one of that seal. */
export function differenceSince(checkpoint: Checkpoint, head: Head | undefined, mac: string | undefined) {
  const { position, began_at, at, key } = checkpoint;
  const when = new Date(at).toISOString();
  if (!head) return undefined;
  if (head.began_at !== began_at || head.key_fingerprint !== key)
    return `the chain of the checkpoint of ${when} is not this one, which began on ${new Date(head.began_at).toISOString()} with the key ${head.key_fingerprint}`;
  if (head.position < position)
    return `there were ${position} seals at the checkpoint of ${when}, and now there are ${head.position}: what came later was removed`;
  if (position > 0 && mac !== checkpoint.mac)
    return `seal ${position} is not the one of the checkpoint of ${when}: the record before it was written again`;
  return undefined;
}
