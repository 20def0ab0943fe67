import { answerRow, askRow, questionRows } from "../../db/ask-rows.ts";
import type { Change, NewConversation, NewMessage, NewTurn } from "../../db/change.ts";
import { HIDDEN, removeHidden } from "../../db/hidden.ts";
import type { Ask } from "../../domain/ask.ts";
import { isPending } from "../../domain/lifecycle.ts";
import type { AuditAction } from "../../protocol/audit.ts";
import type { Creatable } from "../access.ts";
import { askEvents, emptyChange, inboxRow } from "../changes.ts";
import { commitNew } from "../commit.ts";
import type { HubContext } from "../context.ts";

export type BuildContext = Pick<HubContext, "db" | "store" | "commit" | "labels" | "notifyAt">;

/** Some of the messages and asks of a new conversation, in order. Its asks carry their numbers in that conversation. */
export type Piece = { messages: NewMessage[]; asks: Ask[] };

/** What the last commit adds, once all pieces are known. */
export type Completion = {
  /** Open asks: nobody may see them before their conversation is complete. */
  pending: Ask[];
  after: unknown;
  ask_limit: number;
  total_rounds: number | null;
  turn: (Pick<NewTurn, "id" | "owner" | "started_by"> & { message_sequence: number }) | null;
};

export type Plan = {
  create: Omit<NewConversation, "ask_limit">;
  actions: { conversation: AuditAction; ask: AuditAction };
  pieces: AsyncIterable<Piece>;
  complete: () => Completion;
};

/** The size of one commit: everyone shares the writer. */
const MAX_ROWS = 250;
const MAX_UNITS = 512 * 1024;
const COMMITS_PER_CHECKPOINT = 4;

/** Collects messages and asks until there are enough for a piece. */
export class Pieces {
  #piece: Piece = { messages: [], asks: [] };
  #units = 0;

  /** Returns the piece once this message fills it. */
  add(message: NewMessage, ask?: Ask): Piece | undefined {
    this.#piece.messages.push(message);
    if (ask) this.#piece.asks.push(ask);
    this.#units += message.content.length + (message.metadata?.length ?? 0);
    const rows = this.#piece.messages.length + this.#piece.asks.length;
    return rows >= MAX_ROWS || this.#units >= MAX_UNITS ? this.rest() : undefined;
  }

  /** Returns the rest when there is nothing more to add. */
  rest(): Piece {
    const piece = this.#piece;
    this.#piece = { messages: [], asks: [] };
    this.#units = 0;
    return piece;
  }
}

/**
 * Writes a new conversation with its history in commits small enough to delay nobody. The last one makes it visible,
 * together with its open asks; until then it is hidden. So it appears complete or not at all, even if the process dies in
 * between. A short conversation is one commit.
 */
export async function buildConversation(ctx: BuildContext, at: Creatable, plan: Plan): Promise<void> {
  const { call, conversation_id } = at;
  const { actions, pieces, complete } = plan;
  const written = { messages: 0, rounds: 0 };
  const notify_at = ctx.notifyAt(plan.create.space_id, call.now);
  let begun = false;
  let commits = 0;

  const changeOf = ({ messages, asks }: Piece, after: unknown): { change: Change; asks: Ask[] } => {
    const plain = emptyChange(at, actions.conversation, after);
    const own = asks.map((ask) => ({ ...ask, conversation_id, command_id: plain.audit.command_id }));
    const change: Change = {
      ...plain,
      guard: begun ? { kind: "conversation", idle: false } : { kind: "create" },
      create: begun ? null : { ...plan.create, ask_limit: 0 },
      rounds: own.length,
      pending: own.filter(isPending).length,
      asks: own.map((ask) => askRow(ask, ask.round - written.rounds, ask.sequence_num - written.messages)),
      questions: own.flatMap(questionRows),
      answers: own.flatMap(({ questions }) =>
        questions.flatMap(({ answered }) => (answered ? [answerRow(answered)] : [])),
      ),
      messages,
      inbox: own.map((ask) => inboxRow(ask, plan.create, ask.round - written.rounds, notify_at)),
      ask_events: askEvents(plain, actions.ask, own),
    };
    return { change, asks: own };
  };

  const writeHidden = async (piece: Piece) => {
    const { change } = changeOf(piece, { messages: piece.messages.length, rounds: piece.asks.length });
    if (!begun) change.set = { run_state: HIDDEN };
    if (!(await ctx.store(change))) throw new Error("a hidden conversation was removed while it was written");
    begun = true;
    written.messages += piece.messages.length;
    written.rounds += piece.asks.length;
    if (++commits % COMMITS_PER_CHECKPOINT === 0) await ctx.db.checkpoint();
  };

  try {
    let held: Piece = { messages: [], asks: [] };
    for await (const piece of pieces) {
      if (piece.messages.length === 0) continue;
      if (held.messages.length > 0) await writeHidden(held);
      held = piece;
    }
    const { pending, after, ask_limit, total_rounds, turn } = complete();
    const { change, asks } = changeOf({ messages: held.messages, asks: [...held.asks, ...pending] }, after);
    change.total_rounds = total_rounds;
    if (change.create) change.create = { ...change.create, ask_limit };
    else change.set = { run_state: "active", ask_limit };
    if (turn) {
      const { message_sequence, ...row } = turn;
      change.set = { ...change.set, run_state: "streaming", turn_id: turn.id };
      change.turns = [{ ...row, status: "running", nth_message: message_sequence - written.messages }];
    }
    const open = asks.filter(isPending);
    const about = [...open.map((ask) => ({ ask })), ...(turn ? [{ started: { turn_id: turn.id } }] : [])];
    await commitNew(ctx, change, ...about);
    const { agent, title, space_id, api_key_id } = plan.create;
    ctx.labels.set(conversation_id, { agent, title, space_id, api_key_id });
  } catch (error) {
    // If it cannot be removed now, it stays hidden and is removed later.
    if (begun) await removeHidden(ctx.db, conversation_id, call.now).catch(() => {});
    throw error;
  }
}
