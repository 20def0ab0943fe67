import type { Page } from "@playwright/test";

/** What a person pressed, and what was there at that moment. */
export type Press = {
  kind: "key" | "pointer";
  key: string;
  /** The card that the pointer was on, or the one that is open. */
  card: string | undefined;
  /** The id of the option under the pointer, or `submit`. */
  control: string | undefined;
  /** What was chosen and written before the press. */
  chosen: string[];
  text: string;
  cardStill_ms: number;
  controlStill_ms: number;
  /** How often the person had pressed something else in this card. */
  touches: number;
};

/** An answer that the page took over from the person, and the press right before it. */
export type Accepted = {
  item: string;
  given: { answers?: Record<string, { answer?: unknown; other?: string }>; reply?: string };
  takesOver: boolean;
  by: Press | undefined;
};

declare global {
  interface Window {
    acceptedAnswers?: Accepted[];
  }
}

/** Records, independently of the page that is open now, what is pressed in it and which answers that leads to. */
export async function watchActs(page: Page): Promise<void> {
  await page.evaluate(() => {
    const accepted: Accepted[] = [];
    window.acceptedAnswers = accepted;
    const CONTROL = "input[data-choice], button[type=submit]";
    let last: Press | undefined;
    let shown: string | undefined;
    let shownSince = 0;
    let touches = 0;
    const places = new Map<Element, { at: DOMRect; since: number }>();
    const formNow = () => document.querySelector<HTMLFormElement>("[data-form] form[data-card]");
    const cardAt = (element: Element | null) => element?.closest("[data-form]")?.getAttribute("data-form") ?? undefined;
    const look = (now: number) => {
      const form = formNow();
      if (cardAt(form) !== shown) {
        [shown, shownSince, touches] = [cardAt(form), now, 0];
        places.clear();
      }
      for (const control of form?.querySelectorAll(CONTROL) ?? []) {
        const at = control.getBoundingClientRect();
        const before = places.get(control)?.at;
        const hasMoved = !before || Math.abs(at.top - before.top) > 4 || Math.abs(at.left - before.left) > 4;
        if (hasMoved) places.set(control, { at, since: now });
      }
    };
    // However long a frame takes, what it shows is as old as its beginning.
    const frame = (begun: number) => {
      look(begun);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    const remember = (kind: Press["kind"], key: string, target: Element | undefined) => {
      const now = performance.now();
      look(now);
      const form = formNow();
      const control = target?.closest(CONTROL) ?? undefined;
      const isSubmit = control instanceof HTMLButtonElement;
      const chosen = [...(form?.querySelectorAll<HTMLElement>("input[data-choice]:checked") ?? [])];
      last = {
        kind,
        key,
        card: target ? cardAt(target) : cardAt(form),
        control: isSubmit ? "submit" : (control?.getAttribute("data-choice") ?? undefined),
        chosen: chosen.flatMap(({ dataset }) => dataset.choice ?? []),
        text: form?.querySelector<HTMLTextAreaElement>("textarea[data-choice]")?.value ?? "",
        cardStill_ms: now - shownSince,
        controlStill_ms: now - ((control && places.get(control)?.since) ?? now),
        touches,
      };
      const isInCard = target ? form?.contains(target) && !isSubmit : form?.contains(document.activeElement);
      if (isInCard || /^[1-9]$/.test(key)) touches += 1;
    };
    window.addEventListener(
      "pointerdown",
      ({ target }) => target instanceof Element && remember("pointer", "", target),
      { capture: true },
    );
    window.addEventListener("keydown", ({ key }) => remember("key", key, undefined), { capture: true });
    window.addEventListener(
      "focus",
      ({ target }) => {
        if (target === window) shownSince = performance.now();
      },
      { capture: true },
    );
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (value, key) {
      const { inbox_item_id: item, given, take_over } = value;
      accepted.push({ item, given, takesOver: take_over === true, by: last });
      return put.call(this, value, key);
    };
  });
}
