import { chainAfter, findHead, type Head, type KeyedSeal } from "../../db/record/seals.ts";
import type { Reader } from "../../db/snapshot.ts";
import { chainMac, headMac, sealMac } from "./chain.ts";
import type { AuditKey } from "./key.ts";

const PAGE = 1_000;

export type Chain = { head: Head | undefined; seals: number };

/** Walks the chain of all seals once and reports missing or changed ones. Without a key it only counts. */
export async function verifyChain(
  db: Reader,
  key: AuditKey | undefined,
  report: (what: string) => void,
  onSeal: (seal: KeyedSeal) => void,
): Promise<Chain> {
  const head = await findHead(db);
  const known = key !== undefined && key.fingerprint === head?.key_fingerprint ? key : undefined;
  if (!head) report("the end of the chain of seals (audit_head) is missing");
  else if (!key) report("the audit key is not here, so no seal can be verified");
  else if (!known)
    report(`the seals were made with the key ${head.key_fingerprint}, and the key here is ${key.fingerprint}`);

  let [position, seals] = [0, 0];
  // Unknown after a gap: the mac of the next seal covers the missing one.
  let previous = known && head ? chainMac(known, head.began_at) : undefined;
  for (;;) {
    const page = await chainAfter(db, position, PAGE);
    for (const seal of page) {
      if (seal.position !== position + 1) {
        report(missing(position + 1, seal.position - 1));
        previous = undefined;
      }
      if (known && previous !== undefined && sealMac(known, previous, seal.position, seal) !== seal.mac)
        report(`seal ${seal.position} (${seal.conversation_id}, event ${seal.number}) was not made with the audit key`);
      position = seal.position;
      previous = seal.mac;
      seals += 1;
      onSeal(seal);
    }
    if (page.length < PAGE) break;
  }
  if (head && head.position > position) report(missing(position + 1, head.position));
  else if (head && head.position < position)
    report(`the end of the chain (audit_head) was set back to seal ${head.position}, and there are ${position} seals`);
  else if (known && head && headMac(known, previous ?? "", { ...head, position }) !== head.mac)
    report(`the end of the chain, at seal ${head.position}, was not made with the audit key`);
  return { head, seals };
}

function missing(first: number, last: number): string {
  return first === last ? `seal ${first} is missing` : `seals ${first} to ${last} are missing`;
}
