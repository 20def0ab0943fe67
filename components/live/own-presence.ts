import type { PresenceState } from "../../lib/protocol/events.ts";
import { type Place, placeKey } from "./presence.ts";

/** Someone moving quickly through the list is not present at the questions in between. */
const SETTLE_MS = 300;
/** After this long without a key press, the person is thinking or has stopped. */
const TYPING_MS = 6_000;
/** The server forgets a person who says nothing for 75 seconds. */
const AGAIN_MS = 25_000;

type Options = {
  /** False if it could not be sent; it is sent again after the next connection. */
  send: (place: Place, state: PresenceState) => boolean;
  now?: () => number;
};
type Report = { place: Place; state: PresenceState; at: number };

/**
 * Tells the server which question this tab's person is at and whether they are writing, on every change and twice a minute.
 */
export class OwnPresence {
  readonly #send: Options["send"];
  readonly #now: () => number;
  /** The open cards of the page, in their order. A tab is at one of them. */
  readonly #cards = new Map<string, Place>();
  /** The card in which the person did something last. */
  #last = "";
  #typedAt = Number.NEGATIVE_INFINITY;
  #isVisible = true;
  #said: Report | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor({ send, now = Date.now }: Options) {
    this.#send = send;
    this.#now = now;
  }

  /** A card is on the page, until the returned function is called. */
  open(place: Place): () => void {
    const key = placeKey(place);
    this.#cards.set(key, place);
    this.#sayIn(SETTLE_MS);
    return () => {
      this.#cards.delete(key);
      this.#sayIn(SETTLE_MS);
    };
  }

  /** The person went to a card. */
  touch(place: Place): void {
    this.#goTo(place);
    this.#sayIn(SETTLE_MS);
  }

  /** The person typed something into a card. */
  type(place: Place): void {
    this.#goTo(place);
    this.#typedAt = this.#now();
    if (!this.#isSaid(this.#target())) this.#say();
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#say();
  }

  /** The server has forgotten what the last connection said. */
  reconnected(): void {
    this.#said = undefined;
    this.#say();
  }

  #goTo(place: Place): void {
    const key = placeKey(place);
    if (key !== this.#last) this.#typedAt = Number.NEGATIVE_INFINITY;
    this.#last = key;
  }

  #target(): Omit<Report, "at"> | undefined {
    if (!this.#isVisible) return undefined;
    const acted = this.#cards.get(this.#last);
    const [place = acted] = acted ? [acted] : this.#cards.values();
    if (!place) return undefined;
    const isTyping = acted !== undefined && this.#now() < this.#typedAt + TYPING_MS;
    return { place, state: isTyping ? "typing" : "looking" };
  }

  #isSaid(target: Omit<Report, "at"> | undefined): boolean {
    if (!target || !this.#said) return target === this.#said;
    return target.state === this.#said.state && placeKey(target.place) === placeKey(this.#said.place);
  }

  #sayIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#say(), ms);
  }

  #say(): void {
    clearTimeout(this.#timer);
    const target = this.#target();
    const now = this.#now();
    if (!target) {
      if (this.#said) this.#send(this.#said.place, "gone");
      this.#said = undefined;
      return;
    }
    const isDue = !this.#said || now >= this.#said.at + AGAIN_MS;
    if (isDue || !this.#isSaid(target))
      this.#said = this.#send(target.place, target.state) ? { ...target, at: now } : undefined;
    if (!this.#said) return;
    const again = this.#said.at + AGAIN_MS;
    const next = target.state === "typing" ? Math.min(again, this.#typedAt + TYPING_MS) : again;
    this.#sayIn(Math.max(0, next - now));
  }
}
