import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../db/test-databases.ts";
import type { Announcement } from "../domain/views/envelopes.ts";
import { byAgent, byPerson, CHOICE, testHub } from "../hub/test-hub.ts";
import { Feed } from "./feed.ts";

test("a state that was read before the newest message is not delivered after it", async () => {
  const database = await testDatabase("sqlite");
  onTestFinished(database.drop);
  const hub = testHub(await database.open());
  onTestFinished(() => hub.stop());
  let release = () => {};
  let isHeld = false;
  const readState: typeof hub.readState = async (...args) => {
    const state = await hub.readState(...args);
    if (state.pending.length > 0 && !isHeld) {
      isHeld = true;
      await new Promise<void>((resolve) => (release = resolve));
    }
    return state;
  };
  const feed = new Feed({ ...hub, readState }, byPerson, (error) => {
    throw error;
  });
  onTestFinished(() => feed.stop());

  const conversation_id = await hub.createConversation(byAgent(), {});
  const received: Announcement[] = [];
  const watching = feed.watch(byPerson(), conversation_id, 0, (announcement) => void received.push(announcement));
  await watching.caughtUp;
  await hub.ask(byAgent(), { conversation_id, tool_use_id: "t", ...CHOICE });
  await expect.poll(() => isHeld).toBe(true);
  await hub.answer(byPerson(), { conversation_id, question_id: "t", answer: "a" });
  release();

  const newest = () => received.findLast(({ type }) => type === "conversation.state")?.payload;
  await expect.poll(() => newest()?.last_sequence).toBe(2);
  const answered = received.findIndex(({ type }) => type === "question.answered");
  const states = received.slice(answered).filter(({ type }) => type === "conversation.state");
  expect(states.map(({ payload }) => payload.pending)).toEqual([[]]);
});
