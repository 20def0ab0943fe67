import { describe, expect, onTestFinished, test, vi } from "vitest";
import { DATABASES, testDatabase } from "../db/test-databases.ts";
import { Feed } from "../realtime/feed.ts";
import { byAgent, byPerson, CHOICE, testHub } from "./test-hub.ts";

const forbidden = expect.objectContaining({ code: "forbidden" });
const notFound = expect.objectContaining({ code: "session_not_found" });
const withoutRead = () => ({ actor: { ...byPerson().actor, rights: ["ask", "answer"] as const }, now: 0 });

describe.each(DATABASES)("watching (%s)", (kind) => {
  const started = async () => {
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const hub = testHub(await database.open());
    onTestFinished(hub.stop);
    return hub;
  };

  test("needs the right to read, and a conversation that the caller can see", async () => {
    const hub = await started();
    const conversation_id = await hub.createConversation(byAgent(), {});
    await expect(hub.watchConversation(byPerson(), conversation_id)).resolves.toBeDefined();
    await expect(hub.watchConversation(withoutRead(), conversation_id)).rejects.toThrow(forbidden);
    await expect(hub.watchConversation(byPerson(), "ses_unknown")).rejects.toThrow(notFound);
    // Nobody learns from the refusal whether the conversation exists.
    await expect(hub.watchConversation(withoutRead(), "ses_unknown")).rejects.toThrow(forbidden);
    expect(() => hub.watchLists(byPerson())).not.toThrow();
    expect(() => hub.watchLists(withoutRead())).toThrow(forbidden);
  });

  test("a feed opens only after the hub has agreed, and gives a refused watcher nothing", async () => {
    const hub = await started();
    const conversation_id = await hub.createConversation(byAgent(), {});
    const readState = vi.fn(hub.readState);
    const feed = new Feed({ ...hub, readState }, byPerson, (error) => {
      throw error;
    });
    onTestFinished(() => feed.stop());
    const received = vi.fn();
    await expect(feed.watch(withoutRead(), conversation_id, 0, received).caughtUp).rejects.toThrow(forbidden);
    await expect(feed.watch(byPerson(), "ses_unknown", 0, received).caughtUp).rejects.toThrow(notFound);
    expect(feed.totalWatchers()).toBe(0);
    expect(readState).not.toHaveBeenCalled();
    await hub.ask(byAgent(), { conversation_id, tool_use_id: "t", ...CHOICE });
    const allowed = vi.fn();
    const watching = feed.watch(byPerson(), conversation_id, 0, allowed);
    await watching.caughtUp;
    expect(allowed).toHaveBeenCalled();
    expect(received).not.toHaveBeenCalled();
    watching.stop();
    expect(feed.watchedConversations()).toEqual([]);
  });

  test("a watcher that leaves before it may watch is never registered", async () => {
    const hub = await started();
    const conversation_id = await hub.createConversation(byAgent(), {});
    const feed = new Feed(hub, byPerson, (error) => {
      throw error;
    });
    onTestFinished(() => feed.stop());
    const received = vi.fn();
    const { caughtUp, stop } = feed.watch(byPerson(), conversation_id, 0, received);
    stop();
    await caughtUp;
    expect(feed.totalWatchers()).toBe(0);
    expect(received).not.toHaveBeenCalled();
  });
});
