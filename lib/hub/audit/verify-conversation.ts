import { HIDDEN } from "../../db/hidden.ts";
import type { Recorded } from "../../db/record/conversations.ts";
import type { Seal } from "../../db/record/seals.ts";
import { AskCheck } from "./ask-check.ts";
import { link, START } from "./chain.ts";
import { type Cursor, cursor } from "./cursor.ts";
import { MessageCheck, type Report } from "./message-check.ts";
import type { TeamCheck } from "./team-check.ts";
import { TurnCheck } from "./turn-check.ts";

export type Counts = { events: number; sealed: number };

/**
 * Walks a conversation once, its events in step with their seals, messages and asks, and reports everything that differs
 * from what was written. Memory holds one page of each, and the asks that are open at a time.
 */
export async function verifyConversation(recorded: Recorded, report: Report, team?: TeamCheck): Promise<Counts> {
  const { last_audit, last_turn, run_state } = recorded.conversation;
  const messages = new MessageCheck(recorded, report);
  const asks = new AskCheck(recorded, report, true);
  const turns = new TurnCheck(recorded, report);
  const seals = cursor(recorded.seals);
  const { number, sealed } = await walk(recorded, seals, { messages, asks, turns, team }, report);
  const beyond = await lastOf(seals);
  if (beyond) {
    const when = new Date(beyond.sealed_at).toISOString();
    report(
      `${named("event", number + 1, beyond.number)} missing; event ${beyond.number} was sealed on ${when}`,
      number + 1,
    );
  } else if (number !== last_audit) {
    report(`the conversation counts ${last_audit} events, and there are ${number}`, number + 1);
  }
  // Nothing is sealed before its conversation is complete and visible.
  if (run_state === HIDDEN && sealed > 0) report("the conversation was hidden after it had been sealed", number);
  await messages.end(number);
  await asks.end(number);
  await turns.end(number, last_turn);
  team?.end(number);
  return { events: number, sealed };
}

/** Verifies a stretch of a conversation, from one seal to another. It does not notice rows removed after it. */
export async function verifyStretch(recorded: Recorded, from: Seal | undefined, report: Report): Promise<Counts> {
  const checks = { messages: new MessageCheck(recorded, report), asks: new AskCheck(recorded, report, false) };
  const { number, sealed } = await walk(recorded, cursor(recorded.seals), checks, report, from);
  await checks.asks.flush();
  return { events: number, sealed };
}

type Checks = { messages: MessageCheck; asks: AskCheck; turns?: TurnCheck; team?: TeamCheck | undefined };

async function walk(
  recorded: Recorded,
  seals: Cursor<Seal>,
  { messages, asks, turns, team }: Checks,
  report: Report,
  from: Pick<Seal, "number" | "hash"> = { number: 0, hash: START },
): Promise<{ number: number; sealed: number }> {
  let { number, hash } = from;
  let sealed = number;
  for await (const event of recorded.events) {
    if (event.number !== number + 1) report(`${named("event", number + 1, event.number - 1)} missing`, number + 1);
    number = event.number;
    hash = link(hash, event);
    for (let seal = await seals.peek(); seal && seal.number <= number; seal = await seals.peek()) {
      if (seal.number === number && seal.hash !== hash) {
        report(`${named("event", sealed + 1, number)} not as sealed`, sealed + 1);
        // The events after it are compared on their own.
        hash = seal.hash;
      }
      sealed = seal.number;
      seals.take();
    }
    // Events of older versions do not cover other rows.
    if (event.command_id === null) continue;
    await messages.follow(event);
    await asks.follow(event);
    await turns?.follow(event);
    team?.follow(event);
  }
  return { number, sealed };
}

async function lastOf(seals: Cursor<Seal>): Promise<Seal | undefined> {
  let last: Seal | undefined;
  for (let seal = await seals.peek(); seal; seal = await seals.peek()) {
    last = seal;
    seals.take();
  }
  return last;
}

/** "event 3 is", "events 3 to 5 are". */
function named(noun: string, first: number, last: number): string {
  return first >= last ? `${noun} ${first} is` : `${noun}s ${first} to ${last} are`;
}
