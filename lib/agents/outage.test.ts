import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../db/database.ts";
import { StorageError } from "../db/errors.ts";
import { DATABASES, type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { execute, readRows } from "../db/test-sql.ts";
import type { Hub } from "../hub/hub.ts";
import { byAgent, byPerson, CHOICE, testHub } from "../hub/test-hub.ts";
import type { Agent } from "./agent.ts";
import type { Delta } from "./run.ts";
import { startRunner } from "./runner.ts";

const NOBODY = () => {};

describe.each(DATABASES)("turns and a database that fails, on %s", (kind) => {
  let database: TestDatabase;
  const stops: Array<() => Promise<void>> = [];
  beforeAll(async () => {
    database = await testDatabase(kind);
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  afterAll(() => database.drop());

  /** A node whose database can be taken away. */
  async function node(agents: Agent[], everyMs = 20) {
    const real = await database.open();
    let down = false;
    const reachable = async () => {
      if (down) throw new StorageError("the database is away");
    };
    const db: Database = {
      ...real,
      write: (change) => reachable().then(() => real.write(change)),
      read: (query, params) => reachable().then(() => real.read(query, params)),
      prisma: (read) => reachable().then(() => real.prisma(read)),
      run: (statement) => reachable().then(() => real.run(statement)),
    };
    const errors: unknown[] = [];
    const deltas: Delta[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const hub = testHub(db, { agents: agents.map(({ name }) => name), onError });
    const onDelta = (delta: Delta) => void deltas.push(delta);
    const runner = startRunner({ hub, agents, clock: Date.now, onDelta, onError, everyMs });
    await hub.begin(byPerson());
    const stop = async () => {
      down = false;
      await runner.stop();
      await hub.stop();
    };
    stops.push(stop);
    const outage = (is: boolean) => {
      down = is;
    };
    return { hub, deltas, errors, outage };
  }
  const create = (hub: Hub, agent: string) => hub.createConversation(byAgent(), { agent });
  const status = async (hub: Hub, id: string) => (await hub.readConversation(byPerson(), id)).status;

  test("a turn whose last words and whose end could not be stored ends when the database is back", async () => {
    let say = NOBODY;
    const agent: Agent = {
      name: "own",
      about: "",
      run: async (run) => {
        await run.text("first");
        if (run.message === "go") await new Promise<void>((resolve) => (say = resolve));
        await run.text("second");
      },
    };
    const { hub, errors, outage } = await node([agent]);
    const id = await create(hub, "own");
    await hub.sendMessage(byPerson(), id, "go");
    await expect.poll(() => say).not.toBe(NOBODY);
    outage(true);
    say();
    const before = errors.length;
    await expect.poll(() => errors.length).toBeGreaterThan(before + 1);
    outage(false);
    await expect.poll(() => status(hub, id)).toBe("error");
    await hub.sendMessage(byPerson(), id, "again");
    await expect.poll(() => status(hub, id)).toBe("active");
  });

  test("a turn that could not be opened is opened when the database is back", async () => {
    const agent: Agent = { name: "own", about: "", run: (run) => run.text("done") };
    const { hub, errors, outage } = await node([agent]);
    const id = await create(hub, "own");
    hub.subscribe(({ started }) => started && outage(true));
    await hub.sendMessage(byPerson(), id, "go");
    await expect.poll(() => errors.length).toBeGreaterThan(1);
    outage(false);
    await expect.poll(() => status(hub, id)).toBe("active");
  });

  test("a turn whose conversation cannot be read ends, and says why", async () => {
    const agent: Agent = { name: "own", about: "", run: (run) => run.text("done") };
    const { hub, errors } = await node([agent]);
    const id = await create(hub, "own");
    await hub.sendMessage(byPerson(), id, "go");
    await expect.poll(() => status(hub, id)).toBe("active");
    const db = await database.open();
    await execute(db, "update message set content = '{' where conversation_id = ? and sequence_num = 1", [id]);
    await hub.sendMessage(byPerson(), id, "again");
    await expect.poll(() => status(hub, id)).toBe("error");
    expect(errors).toEqual([expect.any(SyntaxError)]);
    const [said] = await readRows<{ content: string }>(
      db,
      "select content from message where conversation_id = ? and type = 'error'",
      [id],
    );
    expect(said?.content).toContain("could not read the conversation");
  });

  test("a turn that can neither run nor end is left alone after the first try", async () => {
    const agent: Agent = { name: "own", about: "", run: (run) => run.text("done") };
    const { hub, errors } = await node([agent]);
    const id = await create(hub, "own");
    const { turn_id } = await hub.sendMessage(byPerson(), id, "go");
    await expect.poll(() => status(hub, id)).toBe("active");
    const db = await database.open();
    await execute(db, "delete from conversation where id = ?", [id]);
    await execute(db, "update turn set status = 'running', owner = ? where id = ?", [hub.node, turn_id]);
    const other = await create(hub, "own");
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    // Whoever compares the runs with the rows has looked again when a turn behind this one has run.
    await hub.sendMessage(byPerson(), other, "go");
    const { turn_id: later } = await hub.sendMessage(byPerson(), other, "go");
    await expect.poll(() => hub.runsTurn(later ?? "")).toBe(false);
    const before = errors.length;
    await execute(db, "update turn set status = 'running', owner = ? where id = ?", [hub.node, later]);
    await execute(db, "update conversation set turn_id = ?, run_state = 'streaming' where id = ?", [later, other]);
    await expect.poll(() => status(hub, other)).toBe("active");
    expect(errors.length).toBe(before);
  });

  test("a turn that nobody told the runner of is run", async () => {
    const agent: Agent = { name: "own", about: "", run: (run) => run.text("done") };
    const { hub } = await node([agent]);
    const id = await create(hub, "own");
    const { turn_id } = await hub.sendMessage(byPerson(), id, "go");
    await expect.poll(() => status(hub, id)).toBe("active");
    const db = await database.open();
    await execute(db, "update turn set status = 'running', owner = ? where id = ?", [hub.node, turn_id]);
    await execute(db, "update conversation set turn_id = ?, run_state = 'streaming' where id = ?", [turn_id, id]);
    await expect.poll(() => status(hub, id)).toBe("active");
  });

  test("stop and close end the agent, what it asked and what waits, and what it says afterwards is dropped", async () => {
    const ended: string[] = [];
    const agent: Agent = {
      name: "own",
      about: "",
      run: async (run) => {
        const { signal, message } = run;
        void run.ask(CHOICE).catch(NOBODY);
        run.own.stream("text", "a", "a");
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        run.own.stream("text", "late", "a late");
        ended.push(message);
      },
    };
    const { hub, deltas } = await node([agent], 60_000);
    const [stopped, closed] = [await create(hub, "own"), await create(hub, "own")];
    for (const id of [stopped, closed])
      for (const text of ["one", "two"]) await hub.sendMessage(byPerson(), id, `${text} ${id}`);
    for (const id of [stopped, closed])
      await expect.poll(async () => (await hub.readConversation(byPerson(), id)).pending.length).toBe(1);
    await hub.interrupt(byPerson(), stopped);
    await expect.poll(() => ended).toEqual([`one ${stopped}`]);
    await hub.close(byPerson(), closed);
    await expect.poll(() => ended).toEqual([`one ${stopped}`, `one ${closed}`]);
    expect(await hub.readState(byPerson(), closed)).toMatchObject({
      status: "closed",
      turn_id: null,
      queued: 0,
      pending: [],
    });
    const db = await database.open();
    const turns = await readRows(db, "select status, owner, reason from turn where conversation_id = ?", [closed]);
    expect(turns).toEqual(Array(2).fill({ status: "interrupted", owner: null, reason: "closed" }));
    expect(deltas.map(({ delta }) => delta)).not.toContain("late");
    await hub.interrupt(byPerson(), stopped);
  });

  test("an agent can look at a question of an earlier turn without waiting for it", async () => {
    const open = "open";
    const results: unknown[] = [];
    const agent: Agent = {
      name: "own",
      about: "",
      run: async (run) => void results.push(await run.own.resultNow(open)),
    };
    const { hub } = await node([agent]);
    const conversation_id = await create(hub, "own");
    await hub.ask(byAgent(), { conversation_id, tool_use_id: open, ...CHOICE });
    await hub.sendMessage(byPerson(), conversation_id, "go");
    await expect.poll(() => results).toEqual([undefined]);
    await hub.answer(byPerson(), { conversation_id, question_id: open, answer: "a" });
    await hub.sendMessage(byPerson(), conversation_id, "again");
    await expect.poll(() => results).toMatchObject([undefined, { outcome: "answered" }]);
  });

  test("an agent that fails beside an open question takes it back", async () => {
    const agent: Agent = {
      name: "own",
      about: "",
      run: async (run) => {
        void run.ask(CHOICE).catch(NOBODY);
        await expect
          .poll(async () => (await hub.readConversation(byPerson(), run.conversation_id)).pending.length)
          .toBe(1);
        throw new Error("it fails");
      },
    };
    const { hub } = await node([agent]);
    const id = await create(hub, "own");
    await hub.sendMessage(byPerson(), id, "go");
    await expect.poll(() => status(hub, id)).toBe("error");
    await expect.poll(async () => (await hub.readConversation(byPerson(), id)).pending).toEqual([]);
  });
});
