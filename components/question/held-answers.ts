import { isJsonObject } from "../../lib/domain/json.ts";
import type { AnswerInput } from "../../lib/protocol/answer.ts";

/** An answer that the person has given and can still take back. */
export type HeldAnswer = {
  inbox_item_id: string;
  /** The question in short, for messages about it. */
  question: string;
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
 * `lost`: someone else settled the ask first. `unreachable`: it is sent again later. `ended`: the session had ended.
 * `claimed`: the name of the person who claimed it.
 */
export type SendOutcome = "sent" | "lost" | "unreachable" | "ended" | { refused: string } | { claimed: string };

type Options = {
  send: (held: HeldAnswer) => Promise<SendOutcome>;
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;
  now?: () => number;
};

/** What the page shows of a held answer: whether it can still be undone, and when it is sent. */
export type HeldState = { state: "waiting" | "sending"; until: number };
type Entry = { held: HeldAnswer; state: HeldState["state"]; timer: ReturnType<typeof setTimeout> | undefined };
type Report = (held: HeldAnswer, outcome: SendOutcome | "expired") => void;

const PREFIX = "parley-held:";
const RETRY_MS = 5_000;
/** Another tab may be about to send it. */
const GRACE_MS = 5_000;
/** After this long nobody remembers having answered: the answer stays a draft instead of being sent. */
const EXPIRES_MS = 10 * 60_000;

/**
 * Answers that are held back for a moment so that they can be undone. They are stored before they are shown as given, and
 * until the server has recorded them, so that neither a crash nor a lost connection loses one.
 */
export class HeldAnswers {
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<() => void>();
  readonly #send: Options["send"];
  readonly #storage: Options["storage"];
  readonly #now: () => number;
  #snapshot: ReadonlyMap<string, HeldState> = new Map();
  #report: Report = () => {};

  constructor({ send, storage, now = Date.now }: Options) {
    this.#send = send;
    this.#storage = storage;
    this.#now = now;
  }

  snapshot = (): ReadonlyMap<string, HeldState> => this.#snapshot;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Listeners for the outcome of each answer. */
  reportTo(report: Report): void {
    this.#report = report;
  }

  hold(held: HeldAnswer): void {
    this.#storage.setItem(PREFIX + held.inbox_item_id, JSON.stringify(held));
    this.#wait(held, held.until - this.#now());
  }

  /** Takes an answer back. False if it is already on its way. */
  undo(inbox_item_id: string): boolean {
    const entry = this.#entries.get(inbox_item_id);
    if (entry?.state !== "waiting") return false;
    this.#forget(entry);
    return true;
  }

  /** The answer that was given last and can still be undone. */
  last(): HeldAnswer | undefined {
    return [...this.#entries.values()].findLast(({ state }) => state === "waiting")?.held;
  }

  /** Sends everything at once: the page is about to go. */
  flush(): void {
    for (const entry of this.#entries.values()) if (entry.state === "waiting") void this.#deliver(entry);
  }

  /** Takes over what an earlier page left for this person. What belongs to someone else stays a draft. */
  resume(person = ""): void {
    for (const held of this.#stored()) {
      if (this.#entries.has(held.inbox_item_id)) continue;
      const age = this.#now() - held.until;
      const isTheirs = (held.by ?? "") === person;
      if (age > EXPIRES_MS || !isTheirs) {
        this.#storage.removeItem(PREFIX + held.inbox_item_id);
        // Nobody reads what someone else was asked.
        if (isTheirs) this.#report(held, "expired");
      } else setTimeout(() => this.#takeOver(held), Math.max(0, GRACE_MS - age));
    }
  }

  #takeOver(held: HeldAnswer): void {
    const isLeft = this.#stored().some(
      ({ inbox_item_id, key }) => inbox_item_id === held.inbox_item_id && key === held.key,
    );
    if (isLeft && !this.#entries.has(held.inbox_item_id)) this.#wait(held, 0);
  }

  #wait(held: HeldAnswer, ms: number): void {
    clearTimeout(this.#entries.get(held.inbox_item_id)?.timer);
    const entry: Entry = { held, state: "waiting", timer: undefined };
    entry.timer = setTimeout(() => void this.#deliver(entry), Math.max(0, ms));
    this.#entries.set(held.inbox_item_id, entry);
    this.#changed();
  }

  async #deliver(entry: Entry): Promise<void> {
    clearTimeout(entry.timer);
    // Undone, although its timer had already run out.
    if (this.#entries.get(entry.held.inbox_item_id) !== entry) return;
    entry.state = "sending";
    this.#changed();
    const outcome = await this.#send(entry.held);
    if (outcome === "unreachable") entry.timer = setTimeout(() => void this.#deliver(entry), RETRY_MS);
    else this.#forget(entry);
    if (outcome === "sent") this.#storage.removeItem(entry.held.draft);
    this.#report(entry.held, outcome);
  }

  #forget(entry: Entry): void {
    clearTimeout(entry.timer);
    this.#entries.delete(entry.held.inbox_item_id);
    this.#storage.removeItem(PREFIX + entry.held.inbox_item_id);
    this.#changed();
  }

  #changed(): void {
    this.#snapshot = new Map([...this.#entries].map(([id, { state, held }]) => [id, { state, until: held.until }]));
    for (const listener of this.#listeners) listener();
  }

  #stored(): HeldAnswer[] {
    const keys = Array.from({ length: this.#storage.length }, (_, index) => this.#storage.key(index) ?? "");
    return keys.filter((key) => key.startsWith(PREFIX)).flatMap((key) => parse(this.#storage.getItem(key)) ?? []);
  }
}

function parse(text: string | null): HeldAnswer | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    return isHeldAnswer(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const TEXTS = ["inbox_item_id", "question", "session_id", "tool_use_id", "content_hash", "key", "draft"] as const;

function isHeldAnswer(value: unknown): value is HeldAnswer {
  if (!isJsonObject(value) || !isJsonObject(value.given) || typeof value.until !== "number") return false;
  const { answers, reply } = value.given;
  return TEXTS.every((name) => typeof value[name] === "string") && (isJsonObject(answers) || typeof reply === "string");
}
