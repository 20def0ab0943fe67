import { describe, expect, test } from "vitest";
import { type Place, SendRule, STILL_MS } from "./send-rule.ts";

const YES = "yes";
const SUBMIT = "submit";
const at = (top: number): Place => [0, top, 100, 30];
const below = (by: number): Array<[string, Place]> => [
  [YES, at(by)],
  [SUBMIT, at(90 + by)],
];
const HERE = below(0);
const SHIFTED = below(36);

/** A card that came at 0 and was seen at once. */
function card({ isOpened = false } = {}) {
  const rule = new SendRule<string>(0, isOpened);
  rule.look(HERE, 0, false);
  return rule;
}

/** A click: down and up at the same moment. */
function click(rule: SendRule<string>, control: string, now: number): boolean {
  rule.press(control, now);
  return rule.stood(now, control);
}

describe("a card", () => {
  test("accepts keys and clicks once it has stood still", () => {
    const rule = card();
    expect([rule.stood(STILL_MS - 1), click(rule, YES, STILL_MS - 1)]).toEqual([false, false]);
    expect(rule.wait(STILL_MS - 1, YES)).toBe(1);
    expect([rule.stood(STILL_MS), click(rule, YES, STILL_MS)]).toEqual([true, true]);
  });

  test("starts again when something comes or moves by itself", () => {
    for (const disturb of [
      (rule: SendRule<string>) => rule.restart(1_000),
      (rule: SendRule<string>) => rule.look(SHIFTED, 1_000, false),
      (rule: SendRule<string>) => rule.look(HERE.slice(1), 1_000, false),
      (rule: SendRule<string>) => rule.look([...HERE, ["no", at(20)]], 1_000, false),
    ]) {
      const rule = card();
      disturb(rule);
      expect([rule.stood(1_299), click(rule, SUBMIT, 1_299)]).toEqual([false, false]);
      expect([rule.stood(1_300), click(rule, SUBMIT, 1_300)]).toEqual([true, true]);
    }
  });

  test("may move a little, but not little by little", () => {
    const rule = card();
    for (const by of [1, 2, 3]) rule.look(below(by), 1_000 + by, false);
    expect(rule.stood(1_010)).toBe(true);
    rule.look(below(4), 1_020, false);
    expect(rule.stood(1_030)).toBe(false);
  });

  test("that moves because of what the person did still accepts keys, but no click where another control was", () => {
    const rule = card();
    rule.look(SHIFTED, 1_000, true);
    expect(rule.stood(1_001)).toBe(true);
    expect(click(rule, SUBMIT, 1_299)).toBe(false);
    expect(click(rule, SUBMIT, 1_300)).toBe(true);
  });

  test("that the person has opened accepts keys at once, but no click", () => {
    const rule = card({ isOpened: true });
    expect([rule.stood(1), click(rule, SUBMIT, 1), click(rule, SUBMIT, STILL_MS)]).toEqual([true, false, true]);
  });
});

describe("a press", () => {
  test("counts only where it began", () => {
    const rule = card();
    rule.press(YES, 1_000);
    expect([rule.stood(1_050, SUBMIT), rule.stood(1_050, YES)]).toEqual([false, true]);
    rule.press(undefined, 1_100);
    expect(rule.stood(1_150, YES)).toBe(false);
  });

  test("does not count if the control moved under it, or something came", () => {
    const rule = card();
    rule.press(YES, 1_000);
    rule.look(SHIFTED, 1_050, true);
    expect(rule.stood(1_500, YES)).toBe(false);
    rule.press(YES, 2_000);
    rule.restart(2_050);
    expect(rule.stood(2_500, YES)).toBe(false);
  });

  test("that began too early never counts, however long it lasts", () => {
    const rule = card();
    rule.press(YES, 100);
    expect(rule.stood(5_000, YES)).toBe(false);
  });

  test("of a key is not one of the pointer", () => {
    const rule = card();
    rule.press(SUBMIT, 1_000);
    rule.forgetPress();
    expect([rule.isPressed(SUBMIT), rule.stood(1_100)]).toEqual([false, true]);
  });
});
