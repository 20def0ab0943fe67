import type { Recorded } from "../../db/record/conversations.ts";
import type { SealedEvent } from "../../db/record/seals.ts";
import type { Ask } from "../../domain/ask.ts";
import { askHash } from "./ask-hash.ts";
import type { Report } from "./message-check.ts";

const TOGETHER = 200;
const CREATIONS = ["ask.created", "ask.continued", "ask.imported"];

/** Compares asks, with their questions and answers, to their events: the newest event of an ask covers its current state. */
export class AskCheck {
  readonly #recorded: Recorded;
  readonly #report: Report;
  #waiting: SealedEvent[] = [];
  /** Asks whose newest event is still to come, with the last event seen. */
  readonly #open = new Map<string, number>();
  #rounds = 0;
  /** Known from the first event on; older versions created asks without events. */
  #isWhole = false;

  constructor(recorded: Recorded, report: Report) {
    this.#recorded = recorded;
    this.#report = report;
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
    for (const event of waiting) {
      const tool_use_id = event.tool_use_id ?? "";
      const ask = asks.get(tool_use_id);
      if (CREATIONS.includes(event.action)) this.#created(event, ask);
      this.#open.delete(tool_use_id);
      if (!ask) continue;
      if (ask.command_id !== event.command_id) this.#open.set(tool_use_id, event.number);
      else if (askHash(ask) !== event.ask_hash)
        this.#report(`ask ${tool_use_id}, one of its questions or an answer was changed`, event.number);
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
