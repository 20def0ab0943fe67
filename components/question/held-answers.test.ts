import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type HeldAnswer, HeldAnswers, heldUntil, isHeldAnswer, type SendOutcome } from "./held-answers.ts";

class MemoryStore {
  readonly items = new Map<string, HeldAnswer>();
  put = async (held: HeldAnswer) => void this.items.set(held.inbox_item_id, held);
  remove = async (id: string) => void this.items.delete(id);
  all = async () => [...this.items.values()];
}

const answer = (id = "item_1"): HeldAnswer => ({
  inbox_item_id: id,
  question: "Ship?",
  answer: "Yes",
  session_id: "conv_1",
  tool_use_id: "toolu_1",
  content_hash: "0".repeat(64),
  given: { answers: { ship: { answer: true } } },
  key: `key-${id}`,
  until: Date.now() + 4_000,
  draft: "parley-draft:1",
});

function page(store: MemoryStore, outcomes: SendOutcome[] = []) {
  const sent: string[] = [];
  const removed: string[] = [];
  const reports: Array<[string, unknown]> = [];
  const held = new HeldAnswers({
    store,
    drafts: { removeItem: (place) => removed.push(place) },
    send: async ({ key }) => {
      sent.push(key);
      return outcomes.shift() ?? "sent";
    },
  });
  held.reportTo(({ inbox_item_id }, outcome) => reports.push([inbox_item_id, outcome]));
  return { held, sent, removed, reports };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a held answer", () => {
  test("is stored before the next question, sent once when its time ends, and then its draft is removed", async () => {
    const store = new MemoryStore();
    const { held, sent, removed, reports } = page(store);
    const given = answer();
    expect(await held.hold(given)).toBe(true);
    expect([...store.items.values()]).toEqual([given]);
    expect([...held.snapshot()]).toEqual([["item_1", { state: "waiting", until: given.until }]]);
    await vi.advanceTimersByTimeAsync(3_999);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect([sent, reports, removed]).toEqual([["key-item_1"], [["item_1", "sent"]], ["parley-draft:1"]]);
    expect(store.items.size).toBe(0);
  });

  test("can be undone while it waits, but not once it is on its way", async () => {
    const store = new MemoryStore();
    const { held, sent } = page(store);
    await held.hold(answer());
    expect(held.last()?.inbox_item_id).toBe("item_1");
    expect(held.undo("item_1")).toBe(true);
    await vi.advanceTimersByTimeAsync(20_000);
    expect([sent, store.items.size, held.receipts()]).toEqual([[], 0, []]);
    await held.hold(answer("item_2"));
    held.flush();
    expect(held.undo("item_2")).toBe(false);
  });

  test("that is undone while it is being stored leaves nothing behind", async () => {
    const store = new MemoryStore();
    const put = store.put;
    let write = () => {};
    store.put = (given) =>
      new Promise((resolve) => {
        write = () => resolve(put(given));
      });
    const { held, sent } = page(store);
    const holding = held.hold(answer());
    expect(held.undo("item_1")).toBe(true);
    write();
    expect(await holding).toBe(false);
    await vi.advanceTimersByTimeAsync(20_000);
    expect([sent, store.items.size]).toEqual([[], 0]);
  });

  test("is sent at once if it cannot be stored, if the disk hangs, or if there is no time", async () => {
    for (const put of [() => Promise.reject(new Error("full")), () => new Promise<void>(() => {})]) {
      const store = new MemoryStore();
      Object.assign(store, { put });
      const { held, sent } = page(store);
      const holding = held.hold(answer());
      await vi.advanceTimersByTimeAsync(1_000);
      expect([await holding, sent]).toEqual([true, ["key-item_1"]]);
    }
    const { held, sent } = page(new MemoryStore());
    expect([await held.hold({ ...answer(), until: Date.now() }), sent]).toEqual([true, ["key-item_1"]]);
  });

  test("is held no longer than its question has time", () => {
    const now = Date.parse("2026-05-01T12:00:00Z");
    const until = (left_ms: number | null) =>
      heldUntil(now, 4_000, left_ms === null ? null : new Date(now + left_ms).toISOString()) - now;
    expect([null, 60_000, 5_000, 3_000, 1_000, 500, -1].map(until)).toEqual([4_000, 4_000, 4_000, 2_000, 0, 0, 0]);
  });

  test("is sent at once when the page goes", async () => {
    const { held, sent } = page(new MemoryStore());
    await held.hold(answer("item_1"));
    await held.hold(answer("item_2"));
    held.flush();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(sent).toEqual(["key-item_1", "key-item_2"]);
  });

  test("is sent again under the same key until the server is back, and at once when it is known to be", async () => {
    const store = new MemoryStore();
    const { held, sent, reports } = page(store, ["unreachable", "unreachable"]);
    await held.hold(answer());
    await vi.advanceTimersByTimeAsync(9_000);
    expect([store.items.size, sent.length]).toEqual([1, 2]);
    held.retry();
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual(["key-item_1", "key-item_1", "key-item_1"]);
    expect(reports.at(-1)).toEqual(["item_1", "sent"]);
    expect(store.items.size).toBe(0);
    held.retry();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(sent).toHaveLength(3);
  });

  test("stays a draft if someone else was first, if it came too late, or if it is refused", async () => {
    const outcomes: SendOutcome[] = ["lost", "late", { refused: "too long" }];
    const { held, removed, reports } = page(new MemoryStore(), [...outcomes]);
    for (const outcome of outcomes) {
      await held.hold(answer());
      await vi.advanceTimersByTimeAsync(5_000);
      expect(reports.at(-1)).toEqual(["item_1", outcome]);
      expect(held.receipts().map(({ state }) => state)).toEqual(["unsent"]);
    }
    expect(removed).toEqual([]);
  });

  test("leaves a receipt, of which the last five are kept", async () => {
    const { held } = page(new MemoryStore());
    for (const number of [1, 2, 3, 4, 5, 6]) await held.hold(answer(`item_${number}`));
    held.sendNow("item_6");
    await vi.advanceTimersByTimeAsync(1);
    expect(held.receipts().map((receipt) => [receipt.held.inbox_item_id, receipt.state])).toEqual([
      ["item_6", "sent"],
      ["item_5", "waiting"],
      ["item_4", "waiting"],
      ["item_3", "waiting"],
      ["item_2", "waiting"],
    ]);
  });

  test("is taken over by the next page after a crash, but not while another tab may still undo it", async () => {
    const store = new MemoryStore();
    await store.put(answer());
    const { held, sent } = page(store);
    await held.resume();
    await vi.advanceTimersByTimeAsync(8_900);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(sent).toEqual(["key-item_1"]);
  });

  test("is not sent by another tab after it was undone", async () => {
    const store = new MemoryStore();
    const first = page(store);
    const second = page(store);
    await first.held.hold(answer());
    await second.held.resume();
    first.held.undo("item_1");
    await vi.advanceTimersByTimeAsync(60_000);
    expect([...first.sent, ...second.sent]).toEqual([]);
  });

  test("of someone else is dropped without a word about it", async () => {
    const store = new MemoryStore();
    await store.put({ ...answer(), by: "per_ada", until: Date.now() });
    const { held, sent, reports } = page(store);
    await held.resume("per_bob");
    await vi.advanceTimersByTimeAsync(60_000);
    expect([sent, reports, store.items.size]).toEqual([[], [], 0]);
  });

  test("stays a draft if nobody comes back for a long time", async () => {
    const store = new MemoryStore();
    await store.put({ ...answer(), until: Date.now() - 11 * 60_000 });
    const { held, sent, reports } = page(store);
    await held.resume();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toEqual([]);
    expect(reports).toEqual([["item_1", "expired"]]);
  });

  test("is recognised among what else is stored", () => {
    expect([answer(), { ...answer(), key: 1 }, { ...answer(), given: {} }, null].map(isHeldAnswer)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
