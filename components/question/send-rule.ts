/** Nobody takes in a change faster than this: what is pressed sooner was meant for what was there before. */
export const STILL_MS = 300;

/** Nobody misses a control, or takes it for another, because it moved this many pixels. */
const SLIGHT = 3;

/** Where a control is: left, top, width and height in pixels. */
export type Place = readonly [number, number, number, number];

/** Why a card does not accept an answer. `unreached`: the person was elsewhere on the page. */
export type Refusal = "moved" | "untouched" | "unreached";

/**
 * When a card accepts an answer: it has stood still for a moment where the person acts, and the person has touched it.
 * A key acts on the card, a pointer on one control. What moves because of the person's own last act does not surprise them
 * at the keyboard, but a pointer is then over something else.
 */
export class SendRule<Control> {
  #stillSince: number;
  readonly #places = new Map<Control, { place: Place; since: number }>();
  #press: { control: Control; isStill: boolean; at: number } | undefined;
  isTouched = false;

  /** `isOpened`: the person has opened it themselves, so it does not come as a surprise. */
  constructor(now: number, isOpened = false) {
    this.#stillSince = isOpened ? Number.NEGATIVE_INFINITY : now;
  }

  /** Something else came, or the person came back. */
  restart(now: number): void {
    this.#stillSince = now;
  }

  /** Compares where the controls are with where they were. `isOwn`: the person has just done something. */
  look(places: Iterable<readonly [Control, Place]>, now: number, isOwn: boolean): void {
    const isFirst = this.#places.size === 0;
    const gone = new Set(this.#places.keys());
    let hasMoved = false;
    for (const [control, place] of places) {
      gone.delete(control);
      if (isSame(this.#places.get(control)?.place, place)) continue;
      this.#places.set(control, { place, since: now });
      hasMoved = true;
    }
    for (const control of gone) this.#places.delete(control);
    // Nobody saw it before its first frame.
    const isNew = isFirst && Number.isFinite(this.#stillSince);
    if (isNew || ((hasMoved || gone.size > 0) && !isFirst && !isOwn)) this.#stillSince = now;
  }

  /** How long it takes until keys count, or a press of this control. */
  wait(now: number, control?: Control): number {
    const since = control === undefined ? this.#stillSince : Math.max(this.#stillSince, this.#sinceOf(control, now));
    return Math.max(0, since + STILL_MS - now);
  }

  /** The pointer goes down, on a control or beside all of them. */
  press(control: Control | undefined, now: number): void {
    this.#press = control === undefined ? undefined : { control, isStill: this.wait(now, control) === 0, at: now };
  }

  /** A key was pressed: what comes next is not done by the pointer. */
  forgetPress(): void {
    this.#press = undefined;
  }

  isPressed(control: Control): boolean {
    return this.#press?.control === control;
  }

  /** Whether it stood still for a key, or from before the pointer went down on this control until now. */
  stood(now: number, control?: Control): boolean {
    if (control === undefined) return this.wait(now) === 0;
    const { isStill, at } = this.isPressed(control) && this.#press ? this.#press : { isStill: false, at: 0 };
    return isStill && this.#stillSince <= at && this.#sinceOf(control, now) <= at;
  }

  #sinceOf(control: Control, now: number): number {
    return this.#places.get(control)?.since ?? now;
  }
}

function isSame(before: Place | undefined, now: Place): boolean {
  return before?.every((value, index) => Math.abs(value - (now[index] ?? 0)) <= SLIGHT) ?? false;
}
