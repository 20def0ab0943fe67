import type { Recorded } from "../../db/record/conversations.ts";
import type { SealedEvent } from "../../db/record/seals.ts";
import { INBOX_ITEM, type InboxItemRow, without } from "../../db/tables.ts";
import type { Ask } from "../../domain/ask.ts";
import { inboxRow } from "../changes.ts";
import { isHashOf } from "./ask-hash.ts";
import type { Report } from "./message-check.ts";

const TOGETHER = 200;
const CREATIONS = ["ask.created", "ask.continued", "ask.imported"];

/** Compares asks, with their questions and answers, to their events: the newest event of an ask covers its current state. */
export class AskCheck {
  readonly #recorded: Recorded;
  readonly #report: Report;
  readonly #isSnapshot: boolean;
  #waiting: SealedEvent[] = [];
  /** Asks whose newest event is still to come, with the last event seen. */
  readonly #open = new Map<string, number>();
  #rounds = 0;
  /** Known from the first event on; older versions created asks without events. */
  #isWhole = false;

  /** Inbox items are compared only in a snapshot: otherwise they may be newer than the asks that were read before. */
  constructor(recorded: Recorded, report: Report, isSnapshot: boolean) {
    this.#recorded = recorded;
    this.#report = report;
    this.#isSnapshot = isSnapshot;
  }

  async follow(event: SealedEvent): Promise<void> {
    if (event.number === 1) this.#isWhole = true;
    if (event.ask_hash === null) return;
    this.#waiting.push(event);
    if (this.#waiting.length === TOGETHER) await this.flush();
  }

  async end(number: number): Promise<void> {
    await this.flush();
    for (const [tool_use_id, at] of this.#open)
      this.#report(`ask ${tool_use_id} is not as event ${at} or a later one left it`, at);
    const { current_round } = this.#recorded.conversation;
    const asks = await this.#recorded.askCount();
    if (current_round !== asks)
      this.#report(`the conversation counts ${current_round} asks, and there are ${asks}`, number);
    if (this.#isWhole && this.#rounds !== asks)
      this.#report(`the events tell of ${this.#rounds} asks, and there are ${asks}`, number);
  }

  async flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length === 0) return;
    const ids = [...new Set(waiting.map((event) => event.tool_use_id ?? ""))];
    const asks = new Map((await this.#recorded.asks(ids)).map((ask) => [ask.tool_use_id, ask]));
    const current = new Map<string, { ask: Ask; number: number }>();
    for (const event of waiting) {
      const tool_use_id = event.tool_use_id ?? "";
      const ask = asks.get(tool_use_id);
      if (CREATIONS.includes(event.action)) this.#created(event, ask);
      this.#open.delete(tool_use_id);
      if (!ask) continue;
      if (ask.command_id !== event.command_id) this.#open.set(tool_use_id, event.number);
      else if (!isHashOf(event.ask_hash ?? "", ask))
        this.#report(`ask ${tool_use_id}, one of its questions or an answer was changed`, event.number);
      else current.set(tool_use_id, { ask, number: event.number });
    }
    if (this.#isSnapshot) await this.#compareItems([...current.values()]);
  }

  /** Inbox items repeat what asks and conversations say, so each must be what its ask makes it. */
  async #compareItems(current: Array<{ ask: Ask; number: number }>): Promise<void> {
    if (current.length === 0) return;
    const { agent, space_id } = this.#recorded.conversation;
    const rows = await this.#recorded.inboxItems(current.map(({ ask }) => ask.inbox_item_id));
    const items = new Map(rows.map((row) => [row.id, row]));
    for (const { ask, number } of current) {
      const { nth_round, ...expected } = inboxRow(ask, { agent, space_id }, ask.round, null);
      const { conversation_id } = ask;
      const item = items.get(ask.inbox_item_id);
      if (!item) this.#report(`the inbox item of ask ${ask.tool_use_id} is missing`, number);
      else {
        const changed = changedColumns(item, { conversation_id, round: nth_round, ...expected });
        if (changed.length > 0)
          this.#report(`the inbox item of ask ${ask.tool_use_id} was changed: ${changed.join(", ")}`, number);
      }
    }
  }

  #created({ number, action, tool_use_id, first_sequence, after }: SealedEvent, ask: Ask | undefined): void {
    this.#rounds += 1;
    if (!ask) {
      this.#report(`ask ${tool_use_id}, its questions or its message are missing`, number);
      return;
    }
    // Asks of a new conversation come in any order, so their events say where they belong.
    const asked = { round: this.#rounds, sequence_num: first_sequence };
    const said = action === "ask.created" ? asked : JSON.parse(after ?? "{}");
    if (ask.round !== said.round && (this.#isWhole || action !== "ask.created"))
      this.#report(`ask ${tool_use_id} was round ${said.round}, and is ${ask.round}`, number);
    if (ask.sequence_num !== said.sequence_num)
      this.#report(`ask ${tool_use_id} was message ${said.sequence_num}, and is ${ask.sequence_num}`, number);
  }
}

/** lib/notify writes the other two without an event; they only say when it looks at the item next. */
const INBOX_COLUMNS = without(INBOX_ITEM, "notify_at", "notify_step");

function changedColumns(item: InboxItemRow, expected: Record<(typeof INBOX_COLUMNS)[number], unknown>): string[] {
  // SQLite has no booleans.
  const row = { ...item, irreversible: Boolean(item.irreversible) };
  return INBOX_COLUMNS.filter((column) => row[column] !== expected[column]);
}
