import type { Database } from "../../db/database.ts";
import { paged, type RecordedConversation, recordedConversation } from "../../db/record/conversations.ts";
import {
  eventsAfter,
  findHead,
  lastSeal,
  type Seal,
  type SealedEvent,
  sealAt,
  sealsBetween,
} from "../../db/record/seals.ts";
import type { Reader } from "../../db/snapshot.ts";
import type { ChainReport } from "../../protocol/audit.ts";
import { TEAM_RECORD } from "../../protocol/space.ts";
import { conversationNotFound } from "../conversations/label.ts";
import { chainMac, sealMac } from "./chain.ts";
import type { AuditKey } from "./key.ts";
import type { Report } from "./message-check.ts";
import { TeamCheck } from "./team-check.ts";
import { verifyConversation, verifyStretch } from "./verify-conversation.ts";

export type AuditContext = { db: Database; auditKey: AuditKey };

/** Events at most this far apart are checked in one stretch. */
const NEAR = 100;
const PAGE = 500;

/** Checks these events, from the seal before to the seal after them. The cost depends on them, not on the whole record. */
export async function checkEvents(
  { db, auditKey }: AuditContext,
  conversation: RecordedConversation,
  numbers: number[],
): Promise<ChainReport> {
  const { id, last_audit } = conversation;
  const found = problems();
  let checked = 0;
  for (const { first, last } of stretches(numbers)) {
    const from = await lastSeal(db, id, first - 1);
    const [until] = await sealsBetween(db, id, { after: last - 1, limit: 1 });
    for (const seal of [from, until]) await checkSeal(db, auditKey, seal, found.report);
    const [begin, end] = [from?.number ?? 0, until?.number ?? last];
    const recorded = {
      ...paged(db, conversation),
      events: eventsBetween(db, id, begin, end),
      seals: await sealsBetween(db, id, { after: begin, until: end, limit: PAGE }),
    };
    checked += (await verifyStretch(recorded, from, found.report)).events - begin;
  }
  const [newest] = await eventsAfter(db, id, last_audit - 1, 1);
  if (newest?.number !== last_audit) found.report(`the newest of ${last_audit} events is missing`, last_audit);
  return {
    ...found.result(),
    whole: false,
    checked,
    events: last_audit,
    sealed: (await lastSeal(db, id))?.number ?? 0,
  };
}

/** Checks all events of a conversation, as of one moment. */
export async function checkWhole({ db, auditKey }: AuditContext, id: string): Promise<ChainReport> {
  return db.snapshot(async (snapshot) => {
    const recorded = await recordedConversation(snapshot, id);
    if (!recorded) throw conversationNotFound(id);
    const found = problems();
    await checkSeal(snapshot, auditKey, await lastSeal(snapshot, id), found.report);
    const chain = (await findHead(snapshot))?.began_at ?? null;
    const team = id === TEAM_RECORD ? await TeamCheck.of(snapshot, chain, found.report) : undefined;
    const { events, sealed } = await verifyConversation(recorded, found.report, team);
    return { ...found.result(), whole: true, checked: events, events, sealed };
  });
}

/** A seal is genuine if its mac covers the previous seal with the audit key. Seals of older versions had no key. */
async function checkSeal(db: Reader, key: AuditKey, seal: Seal | undefined, report: Report): Promise<void> {
  if (!seal || seal.position === null) return;
  const previous = seal.position === 1 ? await beginning(db, key) : (await sealAt(db, seal.position - 1))?.mac;
  if (previous === undefined) report(`seal ${seal.position - 1} is missing from the chain`, seal.number);
  else if (sealMac(key, previous, seal.position, seal) !== seal.mac)
    report(`the seal of event ${seal.number} was not made with the audit key`, seal.number);
}

async function beginning(db: Reader, key: AuditKey): Promise<string | undefined> {
  const head = await findHead(db);
  return head && chainMac(key, head.began_at);
}

function* stretches(numbers: number[]): Generator<{ first: number; last: number }> {
  let [first, last] = [numbers[0], numbers[0]];
  for (const number of numbers) {
    if (first === undefined || last === undefined) return;
    if (number > last + NEAR) {
      yield { first, last };
      first = number;
    }
    last = number;
  }
  if (first !== undefined && last !== undefined) yield { first, last };
}

async function* eventsBetween(db: Reader, id: string, after: number, last: number): AsyncGenerator<SealedEvent> {
  for (let number = after; number < last; ) {
    const events = await eventsAfter(db, id, number, Math.min(PAGE, last - number));
    yield* events;
    const end = events.at(-1);
    if (!end || end.number >= last) return;
    number = end.number;
  }
}

/** Keeps the first problem: later ones often follow from it. */
function problems() {
  let first: { problem: string; broken_at: number } | undefined;
  return {
    report: ((problem, broken_at) => {
      first ??= { problem, broken_at };
    }) satisfies Report,
    result: () => ({ intact: !first, broken_at: first?.broken_at ?? null, problem: first?.problem ?? null }),
  };
}
