import { parseJson } from "../../db/json.ts";
import type { Recorded } from "../../db/record/conversations.ts";
import type { SealedEvent } from "../../db/record/seals.ts";
import type { TurnRow } from "../../db/tables.ts";
import type { Actor } from "../../protocol/actor.ts";
import { type Cursor, cursor } from "./cursor.ts";
import type { Report } from "./message-check.ts";

/** A turn as the event that began or queued it says. */
type Source = { id: string; number: number; event: SealedEvent };
/** How a column is verified: by what the event says (undefined if it does not say), or not at all for the reason given. */
type Cover = {
  readonly [Column in keyof TurnRow]: ((source: Source) => TurnRow[Column] | undefined) | { notVerified: string };
};

const WORKING_STATE = { notVerified: "working state: which turn runs where, and how it ended" };

// Each column is here, or this does not compile.
const COVER: Cover = {
  id: ({ id }) => id,
  conversation_id: ({ event }) => event.conversation_id,
  number: ({ number }) => number,
  status: WORKING_STATE,
  // In a continued conversation the messages of the turn are older ones, whose hashes name the turn.
  message_sequence: ({ event }) => (event.action === "message.sent" ? event.first_sequence : undefined),
  owner: WORKING_STATE,
  started_by: ({ event }) => (parseJson(event.actor) as Pick<Actor, "id">).id ?? null,
  reason: WORKING_STATE,
  parked_for: WORKING_STATE,
  created_at: ({ event }) => event.at,
  ended_at: WORKING_STATE,
};

/** Compares turns, which say who is behind an agent's questions, to the events that began or queued them. Needs a snapshot. */
export class TurnCheck {
  readonly #turns: Cursor<TurnRow>;
  readonly #report: Report;
  #number = 0;
  /** Older versions wrote events that do not cover other rows. */
  #isWhole = false;
  /** Older versions did not say which turn a continued conversation begins with. */
  #unnamed: SealedEvent | undefined;

  constructor(recorded: Recorded, report: Report) {
    this.#turns = cursor(recorded.turns);
    this.#report = report;
  }

  async follow(event: SealedEvent): Promise<void> {
    if (event.number === 1) this.#isWhole = true;
    if (event.action !== "message.sent" && event.action !== "conversation.continued") return;
    const { turn_id } = (parseJson(event.after) ?? {}) as { turn_id?: string | null };
    if (turn_id === undefined) this.#unnamed = event;
    if (typeof turn_id !== "string") return;
    await this.#before(turn_id, event.number);
    const turn = await this.#turns.peek();
    this.#number = this.#isWhole ? this.#number + 1 : (turn?.number ?? 0);
    if (turn?.id !== turn_id) this.#report(`turn ${turn_id} is missing`, event.number);
    else {
      this.#compare(turn, event);
      this.#turns.take();
    }
  }

  async end(number: number, last_turn: number): Promise<void> {
    await this.#before(null, number);
    if (this.#isWhole && last_turn !== this.#number)
      this.#report(`the conversation counts ${last_turn} turns, and there are ${this.#number}`, number);
  }

  /** Passes the turns that no event names, up to the next one that it does. */
  async #before(turn_id: string | null, number: number): Promise<void> {
    for (let turn = await this.#turns.peek(); turn && turn.id !== turn_id; turn = await this.#turns.peek()) {
      if (turn_id !== null && this.#isWhole && turn.number > this.#number + 1) return;
      if (this.#unnamed) {
        this.#number += 1;
        this.#compare(turn, this.#unnamed);
        this.#unnamed = undefined;
      } else if (this.#isWhole) this.#report(`turn ${turn.id} belongs to no event`, number);
      this.#turns.take();
    }
  }

  #compare(turn: TurnRow, event: SealedEvent): void {
    const source = { id: turn.id, number: this.#number, event };
    const changed = Object.entries<Cover[keyof TurnRow]>(COVER).filter(([column, cover]) => {
      const expected = typeof cover === "function" ? cover(source) : undefined;
      return expected !== undefined && expected !== turn[column as keyof TurnRow];
    });
    if (changed.length === 0) return;
    this.#report(`turn ${turn.id} was changed: ${changed.map(([column]) => column).join(", ")}`, event.number);
  }
}
