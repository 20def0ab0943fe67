import { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { ReadStream, WriteStream } from "node:tty";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BODIES } from "../../../scripts/chaos/fuzz/bodies.ts";
import { bodyText, mutated } from "../../../scripts/chaos/fuzz/mutate.ts";
import { createRandom, type Random } from "../../../scripts/chaos/kit/random.ts";
import { ClientError, createClient } from "../../client.ts";
import { ABOVE_SQL, type TestDatabase, testDatabase } from "../../db/test-databases.ts";
import { type TestServer, testServer } from "../../http/test-server.ts";
import { CommandExit, type Terminal } from "../terminal/terminal.ts";
import { BEHIND_PROXY, type TestProxy, testProxy } from "../test-proxy.ts";
import { run as askCommand } from "./ask.ts";

// `parley ask` in this process, as often as faults need to be tried.

let database: TestDatabase;
let server: TestServer;
let proxy: TestProxy;
const LIMITS = { maxDepth: 1_000_000 };

const startServer = async () => {
  server = await testServer(database.url, { publicUrl: proxy.url, ...BEHIND_PROXY, limits: LIMITS });
  proxy.lead(Number(new URL(server.url).port));
};
afterEach(async () => {
  await proxy.close();
  await server.stop();
  await database.drop();
});

function terminal(): Terminal & { printed: () => string; said: () => string } {
  let [printed, said] = ["", ""];
  return {
    input: Readable.from([]) as unknown as ReadStream,
    stdout: new Writable({ write: (_part, _encoding, done) => done() }) as unknown as WriteStream,
    stderr: new Writable({ write: (_part, _encoding, done) => done() }) as unknown as WriteStream,
    interactive: false,
    env: { PARLEY_URL: proxy.url, USER: "tester" },
    version: "0.0.0",
    print: (text) => {
      printed += text;
    },
    say: (text) => {
      said += `${text}\n`;
    },
    printed: () => printed,
    said: () => said,
  };
}

const hub = () => createClient({ url: server.url });
const open = async () => (await hub().call("inbox", { query: { limit: 200 } })).items;

describe.each(ABOVE_SQL)("asking again on %s", (kind) => {
  beforeEach(async () => {
    database = await testDatabase(kind);
    proxy = await testProxy();
    await startServer();
  });

  const answerAll = async (count: number) => {
    for (let items = await open(); ; items = await open()) {
      if (items.length === count) {
        for (const { session_id, tool_use_id } of items)
          await hub().call("answer", { body: { session_id, question_id: tool_use_id, answer: tool_use_id } });
        return;
      }
      await sleep(20);
    }
  };
  /** Loses the next replies, one after the other. */
  const loseReplies = async (random: Random) => {
    for (let left = random.between(0, 3); left > 0; left--) {
      proxy.loseReply();
      await sleep(random.between(0, 60));
    }
  };

  test("one command is one question, although replies are lost, connections are cut and Parley restarts", async () => {
    const random = createRandom(20261116);
    let asked = 0;
    for (let round = 0; round < 8; round++) {
      const together = random.between(2, 5);
      const asking = Array.from({ length: together }, (_, index) => {
        const screen = terminal();
        // By its own id too, or only by its key.
        const body = {
          question: "Which?",
          session_key: `run ${round % 3}`,
          ...(random.chance(0.5) && { tool_use_id: `ask_${round}_${index}` }),
        };
        const asks = (): Promise<number> =>
          askCommand(screen, [JSON.stringify(body)], { key: `key_${round}_${index}` }).catch((error: Error) => {
            // On a slow machine it may give up first; asking again returns the same question.
            if (error instanceof ClientError && error.code === "unreachable") return asks();
            throw error;
          });
        return asks().then((code) => ({ code, body, printed: screen.printed() }));
      });
      await loseReplies(random);
      if (random.chance(0.5)) {
        while ((await open()).length < together) await sleep(10);
        if (random.chance(0.5)) proxy.cut();
        else {
          proxy.lead(undefined);
          await server.stop();
          await startServer();
        }
      }
      await answerAll(together);
      for (const { code, body, printed } of await Promise.all(asking)) {
        expect(code).toBe(0);
        expect(JSON.parse(printed).answer).toEqual(body.tool_use_id ?? expect.stringMatching(/^ask_/));
      }
      asked += together;
    }
    const { items, counts } = await hub().call("inbox", { query: { status: "all", limit: 200 } });
    expect([items.length, counts.open]).toEqual([asked, 0]);
    expect((await hub().call("listSessions", {})).sessions).toHaveLength(3);
    expect(asked).toBeGreaterThan(15);
    expect(server.errors).toEqual([]);
  });
});

test("500 hostile arguments to Parley: each is refused in words, or asked once", async () => {
  database = await testDatabase("sqlite");
  proxy = await testProxy();
  await startServer();
  const random = createRandom(20261117);
  const known = { session: "s", ask: undefined, target: { session_id: "s", tool_use_id: "t" } };
  let over = false;
  const sweeping = (async () => {
    while (!over) {
      for (const { session_id, tool_use_id } of await open())
        await hub()
          .call("cancel", { body: { session_id, tool_use_id, reason: "swept" } })
          .catch((error) => {
            // Its own deadline was faster.
            if (error.code !== "question_closed") throw error;
          });
      await sleep(10);
    }
  })();
  const codes: Record<string, number> = {};
  for (let i = 0; i < 500; i++) {
    const { session_id: _, ...body } = BODIES.ask(random, known) as Record<string, unknown>;
    const text = bodyText(mutated(random, { method: "POST", path: "/", headers: {}, body })) ?? "";
    const screen = terminal();
    const code = await askCommand(screen, [text], {}).catch((error: Error) => {
      if (error instanceof CommandExit || error.name === "ClientError")
        return error.message === "" ? "silent" : "refused";
      throw new Error(`${text.slice(0, 1_000)}: ${error.stack}`);
    });
    codes[code] = (codes[code] ?? 0) + 1;
    if (code !== 0 && code !== 3) expect(screen.printed()).toBe("");
  }
  over = true;
  await sweeping;
  expect(codes.silent).toBeUndefined();
  expect(codes["2"]).toBeGreaterThan(20);
  expect(codes.refused).toBeGreaterThan(100);
  expect(server.errors).toEqual([]);
});
