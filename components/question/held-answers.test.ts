import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type HeldAnswer, HeldAnswers, type SendOutcome } from "./held-answers.ts";

class MemoryStorage {
  readonly items = new Map<string, string>();
  get length() {
    return this.items.size;
  }
  key = (index: number) => [...this.items.keys()][index] ?? null;
  getItem = (key: string) => this.items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.items.set(key, value);
  removeItem = (key: string) => void this.items.delete(key);
}

const answer = (id = "item_1"): HeldAnswer => ({
  inbox_item_id: id,
  question: "Ship?",
  session_id: "conv_1",
  tool_use_id: "toolu_1",
  content_hash: "0".repeat(64),
  given: { answers: { ship: { answer: true } } },
  key: `key-${id}`,
  until: Date.now() + 4_000,
  draft: "parley-draft:1",
});

function page(storage: MemoryStorage, outcomes: SendOutcome[] = []) {
  const sent: string[] = [];
  const reports: Array<[string, unknown]> = [];
  const held = new HeldAnswers({
    storage,
    send: async ({ key }) => {
      sent.push(key);
      return outcomes.shift() ?? "sent";
    },
  });
  held.reportTo(({ inbox_item_id }, outcome) => reports.push([inbox_item_id, outcome]));
  return { held, sent, reports };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a held answer", () => {
  test("is sent once when its time ends, and then its draft is removed", async () => {
    const storage = new MemoryStorage();
    storage.setItem("parley-draft:1", "{}");
    const { held, sent, reports } = page(storage);
    const given = answer();
    held.hold(given);
    expect([...held.snapshot()]).toEqual([["item_1", { state: "waiting", until: given.until }]]);
    await vi.advanceTimersByTimeAsync(3_999);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(sent).toEqual(["key-item_1"]);
    expect(reports).toEqual([["item_1", "sent"]]);
    expect(storage.items.size).toBe(0);
  });

  test("can be undone while it waits, but not once it is on its way", async () => {
    const storage = new MemoryStorage();
    const { held, sent } = page(storage);
    held.hold(answer());
    expect(held.last()?.inbox_item_id).toBe("item_1");
    expect(held.undo("item_1")).toBe(true);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(sent).toEqual([]);
    expect(storage.items.size).toBe(0);
    held.hold(answer("item_2"));
    held.flush();
    expect(held.undo("item_2")).toBe(false);
  });

  test("is sent at once when the page goes", async () => {
    const { held, sent } = page(new MemoryStorage());
    held.hold(answer("item_1"));
    held.hold(answer("item_2"));
    held.flush();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(sent).toEqual(["key-item_1", "key-item_2"]);
  });

  test("is sent again under the same key until the server is back", async () => {
    const storage = new MemoryStorage();
    const { held, sent, reports } = page(storage, ["unreachable", "unreachable"]);
    held.hold(answer());
    await vi.advanceTimersByTimeAsync(9_000);
    expect(storage.items.size).toBe(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent).toEqual(["key-item_1", "key-item_1", "key-item_1"]);
    expect(reports.at(-1)).toEqual(["item_1", "sent"]);
    expect(storage.items.size).toBe(0);
  });

  test("stays a draft if someone else was first, or if it is refused", async () => {
    const storage = new MemoryStorage();
    storage.setItem("parley-draft:1", "{}");
    const { held, reports } = page(storage, ["lost", { refused: "too long" }]);
    held.hold(answer());
    await vi.advanceTimersByTimeAsync(5_000);
    held.hold(answer());
    await vi.advanceTimersByTimeAsync(5_000);
    expect(reports).toEqual([
      ["item_1", "lost"],
      ["item_1", { refused: "too long" }],
    ]);
    expect([...storage.items.keys()]).toEqual(["parley-draft:1"]);
  });

  test("is taken over by the next page after a crash, but not while another tab may still undo it", async () => {
    const storage = new MemoryStorage();
    storage.setItem("parley-held:item_1", JSON.stringify(answer()));
    const { held, sent } = page(storage);
    held.resume();
    await vi.advanceTimersByTimeAsync(8_900);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(sent).toEqual(["key-item_1"]);
  });

  test("is not sent by another tab after it was undone", async () => {
    const storage = new MemoryStorage();
    const first = page(storage);
    const second = page(storage);
    first.held.hold(answer());
    second.held.resume();
    first.held.undo("item_1");
    await vi.advanceTimersByTimeAsync(60_000);
    expect([...first.sent, ...second.sent]).toEqual([]);
  });

  test("of someone else is dropped without a word about it", async () => {
    const storage = new MemoryStorage();
    storage.setItem("parley-held:item_1", JSON.stringify({ ...answer(), by: "per_ada", until: Date.now() }));
    const { held, sent, reports } = page(storage);
    held.resume("per_bob");
    await vi.advanceTimersByTimeAsync(60_000);
    expect([sent, reports, storage.getItem("parley-held:item_1")]).toEqual([[], [], null]);
  });

  test("stays a draft if nobody comes back for a long time", async () => {
    const storage = new MemoryStorage();
    storage.setItem("parley-held:item_1", JSON.stringify({ ...answer(), until: Date.now() - 11 * 60_000 }));
    storage.setItem("parley-held:broken", "{");
    const { held, sent, reports } = page(storage);
    held.resume();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toEqual([]);
    expect(reports).toEqual([["item_1", "expired"]]);
  });
});
