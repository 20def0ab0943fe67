import { isJsonObject } from "../../lib/domain/json.ts";
import type { AnswerInput } from "../../lib/protocol/answer.ts";

/** An answer that the person has given and can still take back. */
export type HeldAnswer = {
  inbox_item_id: string;
  /** The question and the answer in words, for messages about it. */
  question: string;
  answer: string;
  session_id: string;
  tool_use_id: string;
  content_hash: string;
  /** What is sent: answers by question, or a reply in words. */
  given: { answers: Record<string, AnswerInput> } | { reply: string };
  /** The account of the person who gave it. Nobody else's session may send it. */
  by?: string;
  /** Send it even though someone else has claimed the question. */
  take_over?: true;
  /** The idempotency key. Every attempt uses it, so that the answer counts once however often it is sent. */
  key: string;
  /** When it is sent, by the clock of this device. */
  until: number;
  /** Where its draft is stored, which is removed once the answer is recorded. */
  draft: string;
};

/**
 * `lost`: someone else settled the ask first. `own`: this person did, in another window or on another device.
 * `late`: its time had run out. `unreachable`: it is sent again later. `ended`: the session had ended. `claimed`: the name
 * of the person who claimed it.
 */
export type SendOutcome =
  | "sent"
  | "lost"
  | "own"
  | "late"
  | "unreachable"
  | "ended"
  | { refused: string }
  | { claimed: string };

/** Where held answers are kept until the server has recorded them. */
export type HeldStore = {
  /** Done once a crash of the browser cannot lose it any more. */
  put: (held: HeldAnswer) => Promise<unknown>;
  remove: (inbox_item_id: string) => Promise<unknown>;
  all: () => Promise<HeldAnswer[]>;
};

type Options = {
  send: (held: HeldAnswer) => Promise<SendOutcome>;
  store: HeldStore;
  drafts: Pick<Storage, "removeItem">;
  now?: () => number;
};

/** What the page shows of a held answer: whether it can still be undone, and when it is sent. */
export type HeldState = { state: "waiting" | "sending"; until: number };
/** An answer that was given last, and what became of it. */
export type Receipt = { held: HeldAnswer; state: HeldState["state"] | "sent" | "unsent" };
type Entry = {
  held: HeldAnswer;
  state: HeldState["state"];
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether a request is under way. */
  isTrying: boolean;
  stored: Promise<unknown>;
};
type Report = (held: HeldAnswer, outcome: SendOutcome | "expired") => void;

const RECEIPTS = 5;
const RETRY_MS = 5_000;
/** Another tab may be about to send it. */
const GRACE_MS = 5_000;
/** After this long nobody remembers having answered: the answer stays a draft instead of being sent. */
const EXPIRES_MS = 10 * 60_000;
/** What an answer needs to arrive before its deadline. */
const MARGIN_MS = 1_000;
/** A disk that takes longer than this does not delay the person: the answer is sent at once. */
const STORE_MS = 1_000;

/** Until when an answer given now is held: never so long that it would come too late. */
export function heldUntil(now: number, undo_ms: number, deadline_at: string | null): number {
  const last = deadline_at === null ? Number.POSITIVE_INFINITY : Date.parse(deadline_at) - MARGIN_MS;
  return Math.max(now, Math.min(now + undo_ms, last));
}

/**
 * Answers that are held back for a moment so that they can be undone. They are stored before they are shown as given, and
 * until the server has recorded them, so that neither a crash nor a lost connection loses one.
 */
export class HeldAnswers {
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<() => void>();
  readonly #send: Options["send"];
  readonly #store: HeldStore;
  readonly #drafts: Options["drafts"];
  readonly #now: () => number;
  #snapshot: ReadonlyMap<string, HeldState> = new Map();
  #receipts: readonly Receipt[] = [];
  #report: Report = () => {};

  constructor({ send, store, drafts, now = Date.now }: Options) {
    this.#send = send;
    this.#store = store;
    this.#drafts = drafts;
    this.#now = now;
  }

  snapshot = (): ReadonlyMap<string, HeldState> => this.#snapshot;

  /** The answers given last in this tab, the latest first. */
  receipts = (): readonly Receipt[] => this.#receipts;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Listeners for the outcome of each answer. */
  reportTo(report: Report): void {
    this.#report = report;
  }

  /** Resolves once the answer is safe: stored, or on its way. False if it was undone before that. */
  async hold(held: HeldAnswer): Promise<boolean> {
    const { inbox_item_id } = held;
    const stored = this.#store.put(held);
    this.#wait(held, held.until - this.#now(), stored);
    if (held.until > this.#now() && !(await isDoneWithin(stored, STORE_MS))) this.sendNow(inbox_item_id);
    return this.#receipts.some((receipt) => receipt.held === held);
  }

  /** Takes an answer back. False if it is already on its way. */
  undo(inbox_item_id: string): boolean {
    const entry = this.#entries.get(inbox_item_id);
    if (entry?.state !== "waiting") return false;
    this.#receipts = this.#receipts.filter(({ held }) => held !== entry.held);
    this.#forget(entry);
    return true;
  }

  /** The answer that was given last and can still be undone. */
  last(): HeldAnswer | undefined {
    return [...this.#entries.values()].findLast(({ state }) => state === "waiting")?.held;
  }

  sendNow(inbox_item_id: string): void {
    const entry = this.#entries.get(inbox_item_id);
    if (entry?.state === "waiting") void this.#deliver(entry);
  }

  /** Sends everything at once: the page is about to go. */
  flush(): void {
    for (const id of this.#entries.keys()) this.sendNow(id);
  }

  /** Tries again at once: the server can be reached again, or the person is back. */
  retry(): void {
    for (const entry of this.#entries.values()) {
      if (entry.state === "sending" && !entry.isTrying) void this.#deliver(entry);
    }
  }

  /** Takes over what other pages left for this person. What belongs to someone else stays a draft. */
  async resume(person = ""): Promise<void> {
    for (const held of await this.#stored()) {
      if (this.#entries.has(held.inbox_item_id)) continue;
      const age = this.#now() - held.until;
      const isTheirs = (held.by ?? "") === person;
      if (age > EXPIRES_MS || !isTheirs) {
        this.#remove(held.inbox_item_id);
        // Nobody reads what someone else was asked.
        if (isTheirs) this.#report(held, "expired");
      } else setTimeout(() => void this.#takeOver(held), Math.max(0, GRACE_MS - age));
    }
  }

  async #takeOver(held: HeldAnswer): Promise<void> {
    const isSame = ({ inbox_item_id, key }: HeldAnswer) => inbox_item_id === held.inbox_item_id && key === held.key;
    const isLeft = (await this.#stored()).some(isSame);
    if (isLeft && !this.#entries.has(held.inbox_item_id)) this.#wait(held, 0, Promise.resolve());
  }

  #wait(held: HeldAnswer, ms: number, stored: Promise<unknown>): void {
    clearTimeout(this.#entries.get(held.inbox_item_id)?.timer);
    const entry: Entry = { held, state: "waiting", timer: undefined, isTrying: false, stored };
    this.#entries.set(held.inbox_item_id, entry);
    const others = this.#receipts.filter((receipt) => receipt.held.inbox_item_id !== held.inbox_item_id);
    this.#receipts = [{ held, state: entry.state }, ...others].slice(0, RECEIPTS);
    if (ms <= 0) return void this.#deliver(entry);
    entry.timer = setTimeout(() => void this.#deliver(entry), ms);
    this.#changed();
  }

  async #deliver(entry: Entry): Promise<void> {
    clearTimeout(entry.timer);
    // Undone, although its timer had already run out.
    if (this.#entries.get(entry.held.inbox_item_id) !== entry) return;
    entry.isTrying = true;
    this.#show(entry, "sending");
    const outcome = await this.#send(entry.held);
    entry.isTrying = false;
    if (outcome === "unreachable") entry.timer = setTimeout(() => void this.#deliver(entry), RETRY_MS);
    else {
      this.#show(entry, outcome === "sent" ? "sent" : "unsent");
      this.#forget(entry);
    }
    if (outcome === "sent") this.#drafts.removeItem(entry.held.draft);
    this.#report(entry.held, outcome);
  }

  #show(entry: Entry, state: Receipt["state"]): void {
    if (state === "waiting" || state === "sending") entry.state = state;
    this.#receipts = this.#receipts.map((receipt) => (receipt.held === entry.held ? { ...receipt, state } : receipt));
    this.#changed();
  }

  #forget(entry: Entry): void {
    clearTimeout(entry.timer);
    this.#entries.delete(entry.held.inbox_item_id);
    // What is still being written must not outlast it.
    void entry.stored.catch(() => {}).then(() => this.#remove(entry.held.inbox_item_id));
    this.#changed();
  }

  #remove(inbox_item_id: string): void {
    // It is sent once more under the same key, which changes nothing.
    this.#store.remove(inbox_item_id).catch(() => {});
  }

  #changed(): void {
    this.#snapshot = new Map([...this.#entries].map(([id, { state, held }]) => [id, { state, until: held.until }]));
    for (const listener of this.#listeners) listener();
  }

  #stored(): Promise<HeldAnswer[]> {
    // Without storage nothing can have been left.
    return this.#store.all().catch(() => []);
  }
}

function isDoneWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, false);
    work.then(
      () => resolve(true),
      () => resolve(false),
    );
    work.catch(() => {}).finally(() => clearTimeout(timer));
  });
}

const TEXTS = [
  "inbox_item_id",
  "question",
  "answer",
  "session_id",
  "tool_use_id",
  "content_hash",
  "key",
  "draft",
] as const;

export function isHeldAnswer(value: unknown): value is HeldAnswer {
  if (!isJsonObject(value) || !isJsonObject(value.given) || typeof value.until !== "number") return false;
  const { answers, reply } = value.given;
  return TEXTS.every((name) => typeof value[name] === "string") && (isJsonObject(answers) || typeof reply === "string");
}
