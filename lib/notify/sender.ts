import { randomUUID } from "node:crypto";
import { finish, finishSent, type LeasedRow, leaseDue, leaseOf, type SentRow } from "../db/notify/notifications.ts";
import type { ChannelKind } from "../protocol/notification.ts";
import { within } from "../within.ts";
import type { NotifyContext } from "./context.ts";
import { type Lease, type Parcel, pack, putBack, sendParcel } from "./send.ts";
import { Slots } from "./slots.ts";

const BATCH = 1_000;
/** A channel that is slow delays only itself. */
const AT_ONCE_PER_CHANNEL = 2;
/** Bounds the connections that are open at once. Channels of one kind often share a server. */
const AT_ONCE_PER_KIND = 16;
/** What is left of a lease when nothing more is begun under it. */
const MARGIN = 1 / 3;
const CUT_OFF = "Parley was stopped before the service replied, so this may not have arrived.";

/** Sends what is due, on all channels at the same time. */
export class Sender {
  readonly #ctx: NotifyContext;
  /** The channels that have leased notifications left. Nothing else is leased for them meanwhile. */
  readonly #busy = new Map<string, Promise<void>>();
  readonly #slots = new Map<ChannelKind, Slots>();
  /** Messages that a service has not confirmed yet. */
  readonly #underWay = new Map<readonly LeasedRow[], Lease>();
  #beginning: Promise<void> = Promise.resolve();
  #isStopping = false;

  constructor(ctx: NotifyContext) {
    this.#ctx = ctx;
  }

  /** Begins to send what is due on channels that are free. */
  begin(): Promise<void> {
    this.#beginning = this.#beginning.catch(() => {}).then(() => this.#begin());
    return this.#beginning;
  }

  /** Sends what is due, and resolves when nothing is left. */
  async drain(): Promise<void> {
    for (;;) {
      await this.begin();
      if (this.#busy.size === 0) return;
      await Promise.race(this.#busy.values());
    }
  }

  /**
   * Begins nothing more. What a service has not confirmed after `graceMs` counts as sent: it most likely arrived, and would
   * otherwise arrive again after the next start.
   */
  async stop(graceMs: number): Promise<void> {
    const { db, clock } = this.#ctx;
    this.#isStopping = true;
    await within(graceMs, Promise.allSettled([this.#beginning, ...this.#busy.values()]));
    for (const [rows, lease] of this.#underWay)
      await finish(db, rows, lease.id, { state: "sent", sent_at: clock(), error: CUT_OFF });
  }

  async #begin(): Promise<void> {
    const { db, node, timing, clock, onError } = this.#ctx;
    while (!this.#isStopping) {
      const now = clock();
      const lease = { id: leaseOf(node, randomUUID()), until: now + timing.leaseMs };
      const busy = [...this.#busy.keys()];
      const rows = await leaseDue(db, { lease: lease.id, now, until: lease.until, limit: BATCH, busy });
      if (rows.length === 0) return;
      const marks = new SentMarks((sent) => finishSent(db, lease.id, sent));
      for (const [channel_id, group] of grouped(rows)) {
        const sending = this.#sendGroup(group, lease, marks)
          .catch(onError)
          .finally(() => {
            this.#busy.delete(channel_id);
            // More may have become due there.
            void this.begin().catch(onError);
          });
        this.#busy.set(channel_id, sending);
      }
    }
  }

  /** Sends what is due on one channel. */
  async #sendGroup(rows: LeasedRow[], lease: Lease, marks: SentMarks): Promise<void> {
    const ctx = this.#ctx;
    const parcels = await pack(ctx, rows, lease);
    const send = async (parcel: Parcel) => {
      // What cannot be sent in time is left for the next lease: it must not be sent twice.
      const isTooLate = ctx.clock() > lease.until - ctx.timing.leaseMs * MARGIN;
      if (this.#isStopping || isTooLate) {
        const left = [parcel, ...parcels.splice(0)].flatMap((one) => one.rows);
        await putBack(ctx, left, lease, ctx.clock());
      } else
        await sendParcel(ctx, parcel, lease, {
          onSent: (sent) => marks.add(sent),
          during: (sending, work) => {
            this.#underWay.set(sending, lease);
            return work().finally(() => this.#underWay.delete(sending));
          },
        }).catch(ctx.onError);
    };
    const work = async () => {
      for (let next = parcels.shift(); next; next = parcels.shift()) {
        const parcel = next;
        await this.#slotsFor(parcel.channel.kind).during(() => send(parcel));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE_PER_CHANNEL }, work));
  }

  #slotsFor(kind: ChannelKind): Slots {
    const slots = this.#slots.get(kind) ?? new Slots(AT_ONCE_PER_KIND);
    this.#slots.set(kind, slots);
    return slots;
  }
}

/** Writes what went out: what comes in during one write shares the next. */
class SentMarks {
  readonly #write: (rows: SentRow[]) => Promise<unknown>;
  #rows: SentRow[] = [];
  #next: Promise<unknown> | undefined;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(write: (rows: SentRow[]) => Promise<unknown>) {
    this.#write = write;
  }

  /** Resolves when they are written. */
  add(rows: SentRow[]): Promise<unknown> {
    this.#rows.push(...rows);
    this.#next ??= this.#writing
      .catch(() => {})
      .then(() => {
        const writing = this.#write(this.#rows);
        this.#rows = [];
        this.#next = undefined;
        this.#writing = writing;
        return writing;
      });
    return this.#next;
  }
}

function grouped(rows: LeasedRow[]): Map<string, LeasedRow[]> {
  const groups = new Map<string, LeasedRow[]>();
  for (const row of rows) {
    const group = groups.get(row.channel_id);
    if (group) group.push(row);
    else groups.set(row.channel_id, [row]);
  }
  return groups;
}
