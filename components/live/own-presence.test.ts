import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OwnPresence } from "./own-presence.ts";

const A = { conversation_id: "conv_1", tool_use_id: "a" };
const B = { conversation_id: "conv_1", tool_use_id: "b" };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function tab() {
  const said: string[] = [];
  const connection = { isUp: true };
  const own = new OwnPresence({
    send: ({ tool_use_id }, state) => {
      if (connection.isUp) said.push(`${tool_use_id} ${state}`);
      return connection.isUp;
    },
  });
  return { own, said, connection };
}

test("a card that stays open is looked at, and that is said again before the server forgets it", () => {
  const { own, said } = tab();
  const close = own.open(A);
  vi.advanceTimersByTime(1_000);
  expect(said).toEqual(["a looking"]);
  vi.advanceTimersByTime(10 * 60_000);
  // Between twice and three times a minute.
  expect(said.length).toBeGreaterThan(20);
  expect(said.length).toBeLessThan(30);
  expect(new Set(said)).toEqual(new Set(["a looking"]));
  said.length = 0;
  close();
  vi.advanceTimersByTime(10 * 60_000);
  expect(said).toEqual(["a gone"]);
});

test("whoever goes through the list quickly is only where they stay", () => {
  const { own, said } = tab();
  for (const place of [A, B, A, B]) own.open(place)();
  own.open(A);
  vi.advanceTimersByTime(1_000);
  expect(said).toEqual(["a looking"]);
});

test("typing is said with the first key and not with every other, and ends after a pause", () => {
  const { own, said } = tab();
  own.open(A);
  vi.advanceTimersByTime(1_000);
  for (let key = 0; key < 50; key++) {
    own.type(A);
    vi.advanceTimersByTime(200);
  }
  expect(said).toEqual(["a looking", "a typing"]);
  vi.advanceTimersByTime(6_000);
  expect(said).toEqual(["a looking", "a typing", "a looking"]);
  own.type(A);
  expect(said.at(-1)).toBe("a typing");
});

test("of several cards it is the one in which the person did something, else the first", () => {
  const { own, said } = tab();
  own.open(A);
  const closeB = own.open(B);
  vi.advanceTimersByTime(1_000);
  own.touch(B);
  vi.advanceTimersByTime(1_000);
  own.type(B);
  closeB();
  vi.advanceTimersByTime(1_000);
  expect(said).toEqual(["a looking", "b looking", "b typing", "a looking"]);
});

test("a page that nobody sees is left at once, and come back to", () => {
  const { own, said } = tab();
  own.open(A);
  vi.advanceTimersByTime(1_000);
  own.setVisible(false);
  vi.advanceTimersByTime(10 * 60_000);
  own.setVisible(true);
  expect(said).toEqual(["a looking", "a gone", "a looking"]);
});

test("after a new connection it is said again, as it is then", () => {
  const { own, said, connection } = tab();
  const close = own.open(A);
  vi.advanceTimersByTime(1_000);
  connection.isUp = false;
  close();
  own.open(B);
  own.type(B);
  vi.advanceTimersByTime(60_000);
  expect(said).toEqual(["a looking"]);
  connection.isUp = true;
  own.reconnected();
  expect(said).toEqual(["a looking", "b looking"]);
});
