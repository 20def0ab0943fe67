"use client";

import { type FocusEvent, type PointerEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { controlAt, controlsIn, submitButton } from "./form-fields.ts";
import { type Place, type Refusal, SendRule } from "./send-rule.ts";
import { type PageWatch, watchPage } from "./watch-page.ts";

type Options = {
  /** The person has opened the form themselves, so that it comes as no surprise. */
  isOpened?: boolean;
  /** What else the person must have seen before they send anything. */
  seen?: unknown;
};

/** The forms on the page: when another card comes, none of them stands still. */
const rules = new Set<SendRule<Element>>();

function restartAll(): void {
  for (const rule of rules) rule.restart(performance.now());
}

/** Applies the rule for sending to a form: to its keys, its clicks and taps, and to the button that sends it. */
export function useSendRule(form: RefObject<HTMLElement | null>, { isOpened = false, seen }: Options = {}) {
  const [rule] = useState(() => new SendRule<Element>(performance.now(), isOpened));
  const [isReady, setReady] = useState(isOpened);
  const [isSubmitReady, setSubmitReady] = useState(false);
  const watch = useRef<PageWatch>(undefined);
  const pointer = useRef<string>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const { look, update } = useMemo(() => {
    const update = () => {
      const now = performance.now();
      const waits = [rule.wait(now), rule.wait(now, submitButton(form.current))] as const;
      setReady(waits[0] === 0);
      setSubmitReady(waits[1] === 0);
      clearTimeout(timer.current);
      const next = Math.min(...waits.filter((wait) => wait > 0));
      if (Number.isFinite(next)) timer.current = setTimeout(update, Math.ceil(next));
    };
    const look = () => {
      rule.look(placesIn(form.current), performance.now(), watch.current?.hasActed() ?? false);
      update();
    };
    return { look, update };
  }, [rule, form]);

  useEffect(() => {
    rules.add(rule);
    if (!isOpened) restartAll();
    const watching = watchPage(form.current, {
      onChange: look,
      onReturn: () => {
        restartAll();
        update();
      },
    });
    watch.current = watching;
    return () => {
      rules.delete(rule);
      clearTimeout(timer.current);
      watching.stop();
    };
  }, [rule, form, isOpened, look, update]);

  const seenBefore = useRef(seen);
  useEffect(() => {
    if (seenBefore.current === seen) return;
    seenBefore.current = seen;
    rule.restart(performance.now());
    update();
  }, [rule, seen, update]);

  /** The button that sends the form, if the pointer is what presses it. */
  const pressedButton = () => {
    const button = submitButton(form.current);
    return button && rule.isPressed(button) ? button : undefined;
  };
  const touch = () => {
    rule.isTouched = true;
  };
  /** Pressing the button that sends is no sign that the person has read the card. */
  const touchAt = (target: EventTarget) => {
    const button = pressedButton();
    if (!button || !(target instanceof Node && button.contains(target))) touch();
  };
  return {
    isReady,
    isSubmitReady,
    touch,
    /** What the person presses with, unless they used a key last. */
    pointer: () => pointer.current,
    isByPointer: () => pressedButton() !== undefined,
    /** Whether an answer may be sent by a key, or by the press of this control. */
    stood: (control?: Element) => {
      look();
      return rule.stood(performance.now(), control);
    },
    /** Why the form may not be sent now. `hasDraft`: the person has touched it earlier. */
    refusal: (hasDraft = false): Refusal | undefined => {
      look();
      if (!rule.isTouched && !hasDraft) return "untouched";
      return rule.stood(performance.now(), pressedButton()) ? undefined : "moved";
    },
    handlers: {
      onPointerDownCapture: ({ target, pointerType }: PointerEvent) => {
        pointer.current = pointerType;
        look();
        rule.press(controlAt(target), performance.now());
      },
      onPointerUp: ({ target }: PointerEvent) => touchAt(target),
      onKeyDownCapture: () => {
        pointer.current = undefined;
        rule.forgetPress();
      },
      onFocus: ({ target }: FocusEvent) => touchAt(target),
      onBlur: ({ currentTarget, target, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget) && document.activeElement !== target) rule.isTouched = false;
      },
    },
  };
}

export type SendRuleHandle = ReturnType<typeof useSendRule>;

function* placesIn(form: HTMLElement | null): Iterable<[Element, Place]> {
  for (const control of controlsIn(form)) {
    const { left, top, width, height } = control.getBoundingClientRect();
    yield [control, [left, top, width, height]];
  }
}
