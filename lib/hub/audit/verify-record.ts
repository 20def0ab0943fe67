import { recordedConversation, recordedConversations, strayRows } from "../../db/record/conversations.ts";
import type { Reader } from "../../db/snapshot.ts";
import { TEAM_RECORD } from "../../protocol/space.ts";
import { type Checkpoint, differenceSince } from "./checkpoint.ts";
import type { AuditKey } from "./key.ts";
import { checkNoTeam, TeamCheck } from "./team-check.ts";
import { type Chain, verifyChain } from "./verify-chain.ts";
import { verifyConversation } from "./verify-conversation.ts";

export type Totals = { conversations: number; events: number; sealed: number; problems: number; chain: Chain };

export type VerifyOptions = {
  key: AuditKey | undefined;
  /** Only these conversations. By default all of them, and rows that belong to none. */
  conversations: string[];
  /** Earlier ends of the chain, kept elsewhere. */
  since: Checkpoint[];
  report: (problem: string) => void;
  onProgress: (totals: Omit<Totals, "chain">) => void;
};

/** Verifies the whole record, in constant memory. */
export async function verifyRecord(db: Reader, options: VerifyOptions): Promise<Totals> {
  const totals = { conversations: 0, events: 0, sealed: 0, problems: 0 };
  const report = (problem: string) => {
    totals.problems += 1;
    options.report(problem);
  };
  const macs = new Map(options.since.map(({ position }) => [position, ""]));
  const chain = await verifyChain(db, options.key, report, ({ position, mac }) => {
    if (macs.has(position)) macs.set(position, mac);
  });
  for (const checkpoint of options.since) {
    const difference = differenceSince(checkpoint, chain.head, macs.get(checkpoint.position));
    if (difference) report(difference);
  }
  let hasTeam = false;
  for await (const recorded of conversationsOf(db, options.conversations, report)) {
    const { id } = recorded.conversation;
    const reportHere = (what: string) => report(`${id}: ${what}`);
    const isTeam = id === TEAM_RECORD;
    const team = isTeam ? await TeamCheck.of(db, chain.head?.began_at ?? null, reportHere) : undefined;
    hasTeam ||= isTeam;
    const { events, sealed } = await verifyConversation(recorded, reportHere, team);
    totals.conversations += 1;
    totals.events += events;
    totals.sealed += sealed;
    options.onProgress(totals);
  }
  if (options.conversations.length === 0) {
    if (!hasTeam) await checkNoTeam(db, report);
    for (const { table, owner } of await strayRows(db))
      report(`${owner}: has rows in ${table}, and what they belong to is missing`);
  }
  return { ...totals, chain };
}

async function* conversationsOf(db: Reader, ids: string[], report: (problem: string) => void) {
  if (ids.length === 0) yield* recordedConversations(db);
  for (const id of ids) {
    const recorded = await recordedConversation(db, id);
    if (recorded) yield recorded;
    else report(`${id}: there is no such conversation`);
  }
}
