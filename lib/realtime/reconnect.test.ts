import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDemo } from "../agents/demo/demo.ts";
import { ABOVE_SQL, type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { type TestServer, testServer } from "../http/test-server.ts";
import { byAgent, byPerson } from "../hub/test-hub.ts";
import type { MessageView } from "../protocol/message.ts";
import { TestClient } from "./test-client.ts";

const PAGES = 6;
const DROPS = 500;
/** At least this long, however slowly the agent writes. */
const MESSAGES = 100;

/** The same every time: which page drops when, and how much it asks for again. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

describe.each(ABOVE_SQL)("connections that drop, on %s", (kind) => {
  let database: TestDatabase;
  let server: TestServer;
  beforeAll(async () => {
    database = await testDatabase(kind);
    server = await testServer(database.url, {
      agents: [createDemo({ wordsPerSecond: 400 })],
      limits: { maxDepth: 1_000_000 },
    });
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
  });

  test(`${DROPS} drops while an agent streams and people answer: every page ends with the same thread`, async () => {
    const conversation_id = await server.hub.createConversation(byAgent(), { agent: "demo" });
    await server.hub.sendMessage(byPerson(), conversation_id, "rounds");
    let dropped = 0;
    let written = 0;
    const isGoingOn = () => dropped < DROPS || written < MESSAGES;
    const pages = Array.from({ length: PAGES }, (_, index) => {
      const thread = new Map<number, MessageView>();
      return { thread, keepUp: keepUp(thread, random(index + 1)) };
    });

    /** Connects, stays a little, drops; what it gets again must be what it had. */
    async function keepUp(thread: Map<number, MessageView>, pick: (below: number) => number): Promise<void> {
      while (isGoingOn()) {
        const have = Math.max(0, ...thread.keys());
        const last_sequence = pick(3) === 0 ? pick(have + 1) : have;
        const client = await new TestClient(server.url, {
          conversation_id,
          last_sequence: String(last_sequence),
        }).connected();
        await new Promise((resolve) => setTimeout(resolve, pick(30)));
        client.close();
        dropped += 1;
        merge(thread, client, last_sequence);
      }
    }

    while (isGoingOn()) {
      const { pending, last_sequence } = await server.hub.readState(byPerson(), conversation_id);
      written = last_sequence;
      for (const ask of pending) {
        await server.hub.answer(byPerson(), {
          conversation_id,
          question_id: ask.tool_use_id,
          answer: ["One more multi-select"],
        });
      }
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await Promise.all(pages.map((page) => page.keepUp));
    await server.hub.interrupt(byPerson(), conversation_id);

    const truth = await wholeThread(conversation_id);
    expect(truth.length).toBeGreaterThanOrEqual(MESSAGES);
    for (const { thread } of pages) {
      const have = Math.max(0, ...thread.keys());
      const client = await new TestClient(server.url, {
        conversation_id,
        last_sequence: String(have),
      }).connected();
      await client.until(({ type, payload }) => type === "message.replay" && payload.done === true);
      client.close();
      merge(thread, client, have);
      expect([...thread.values()]).toEqual(truth);
    }
  });

  function merge(thread: Map<number, MessageView>, client: TestClient, from: number): void {
    expect(client.complaints).toEqual([]);
    const got = client.messages();
    if (got[0]) expect(got[0].sequence_num).toBe(from + 1);
    for (const message of got) {
      const earlier = thread.get(message.sequence_num);
      if (earlier) expect(message).toEqual(earlier);
      else expect(message.sequence_num).toBe(Math.max(0, ...thread.keys()) + 1);
      thread.set(message.sequence_num, message);
    }
  }

  async function wholeThread(conversation_id: string): Promise<MessageView[]> {
    const all: MessageView[] = [];
    for (;;) {
      const { messages } = await server.hub.readMessages(byPerson(), {
        conversation_id,
        after: all.length,
        limit: 200,
      });
      if (messages.length === 0) return all;
      all.push(...messages);
    }
  }
});
