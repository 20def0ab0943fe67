import type { Database } from "../../../lib/db/database.ts";
import { readRows } from "../../../lib/db/test-sql.ts";
import type { Ask } from "../../../lib/domain/ask.ts";
import type { SessionState } from "../../../lib/protocol/session.ts";
import { attempt, yieldTurns } from "../kit/attempt.ts";
import { rowViolations } from "../kit/check-rows.ts";
import { agent, by, type Node, person, START, withNodes } from "../kit/node.ts";
import { createRandom, type Random } from "../kit/random.ts";
import type { Report, RunOptions, Scenario } from "../kit/scenario.ts";

const LIMITS = { maxDepth: 1_000_000 };
const CONVERSATIONS = 8;
const WRITERS = 16;
const ASKS_A_WRITER = 8;
const READERS = 8;
const READER = by(person("reader"));

export const readers: Scenario = {
  name: "readers",
  about:
    "readers against 16 writers: no outcome without its answer, each message once and in order (counts reads and messages)",
  size: { small: 3_000, whole: 10_000 },
  run: (options) => readWhileWriting(options),
};

type Scene = {
  nodes: Node[];
  conversations: string[];
  asked: Array<{ conversation_id: string; tool_use_id: string }>;
  isWriting: boolean;
  wrong: (what: string) => void;
};

/** `bug` lets a test plant a bug below the hub and check that it is detected. */
export async function readWhileWriting(options: RunOptions, bug = (db: Database) => db): Promise<Report> {
  const { times, minutes, seed, databaseUrl } = options;
  const violations: string[] = [];
  const figures = { reads: 0, messages: 0, generations: 0 };
  const end = minutes === undefined ? undefined : Date.now() + minutes * 60_000;
  const goesOn = () => (end === undefined ? Math.min(figures.reads, figures.messages) < times : Date.now() < end);
  const node = { limits: LIMITS, wrap: bug };

  await withNodes(databaseUrl, [node, node], async (nodes) => {
    while (goesOn() && violations.length === 0) {
      const random = createRandom(seed).fork(figures.generations++);
      const made = Array.from({ length: CONVERSATIONS }, () =>
        random.pick(nodes).hub.createConversation(by(agent("asker")), {}),
      );
      const wrong = (what: string) => violations.push(what);
      const scene: Scene = { nodes, conversations: await Promise.all(made), asked: [], isWriting: true, wrong };
      const forks = (what: string, count: number) =>
        Array.from({ length: count }, (_, index) => random.fork(`${what} ${index}`));
      const following = scene.conversations.flatMap((id) =>
        nodes.map((each) => follow(scene, each, id, random.fork(id))),
      );
      const looking = forks("reader", READERS).map((own) => look(scene, own));
      const writing = forks("writer", WRITERS).map((own, index) => write(scene, own, index));
      await Promise.all(writing).finally(() => {
        scene.isWriting = false;
      });
      for (const count of await Promise.all(looking)) figures.reads += count;
      for (const count of await Promise.all(following)) figures.messages += count / nodes.length;
    }
  });
  violations.push(...(await rowViolations(databaseUrl)));
  return { violations, figures };
}

/** Asks, then settles its asks in parts, on either node. The deadline may come first. */
async function write({ nodes, conversations, asked }: Scene, random: Random, writer: number): Promise<void> {
  for (let round = 0; round < ASKS_A_WRITER; round++) {
    const conversation_id = random.pick(conversations);
    const tool_use_id = `${writer}.${round}`;
    const target = { conversation_id, tool_use_id };
    const questions = ["One?", "Two?"].map((question) => ({ question, options: [{ label: "Yes" }, { label: "No" }] }));
    await random.pick(nodes).hub.ask(by(agent("asker")), { ...target, questions, timeout_s: 60 });
    asked.push(target);
    await yieldTurns(random.int(5));
    const answer = (number: number) => {
      const request = { conversation_id, question_id: `${tool_use_id}#${number}`, answer: random.pick(["Yes", "No"]) };
      return attempt(() => random.pick(nodes).hub.answer(by(person("ann")), request));
    };
    await answer(1);
    if (random.chance(0.15))
      await attempt(() => random.pick(nodes).hub.cancel(by(person("bob")), target, "not needed"));
    else if (random.chance(0.9)) await answer(2);
  }
  if (writer === 0) await random.pick(nodes).hub.expire(START + 60_000);
}

/** Reads in every possible way and checks each reply for half an outcome. */
async function look(scene: Scene, random: Random): Promise<number> {
  let reads = 0;
  while (scene.isWriting) {
    const { hub, db } = random.pick(scene.nodes);
    const one = scene.asked.length > 0 ? random.pick(scene.asked.slice(-30)) : undefined;
    const kind = random.int(20);
    if (kind === 0) checkSession(scene, await hub.readConversation(READER, random.pick(scene.conversations)));
    else if (kind < 3) await checkJoin(scene, db, random.pick(scene.conversations));
    else if (one) checkAsk(scene, await hub.readAsk(READER, one));
    // A SQLite query does not yield to the event loop: without this the writers would never run.
    await yieldTurns(1);
    if (one || kind < 3) reads++;
  }
  return reads;
}

function checkAsk({ wrong }: Scene, ask: Ask): void {
  const answered = ask.questions.filter((question) => question.answered).length;
  const inResult = ask.result?.answers.length ?? 0;
  if ((ask.status === "pending") !== (ask.result === null))
    wrong(`${ask.tool_use_id} is ${ask.status} without a result`);
  if (ask.result && ask.result.outcome !== ask.status)
    wrong(`${ask.tool_use_id} is ${ask.status}, ${ask.result.outcome}`);
  if (ask.status === "answered" && (answered < 2 || inResult < 2))
    wrong(`${ask.tool_use_id} is answered without its answers`);
  if (ask.result && inResult !== answered)
    wrong(`${ask.tool_use_id} has ${answered} answers, and ${inResult} in its result`);
}

/** Checks that a reply does not contradict itself. */
function checkSession({ wrong }: Scene, session: SessionState): void {
  const pending = session.dialog_history.filter((round) => round.status === "pending");
  for (const { tool_use_id, status, answer, decided_by } of session.dialog_history) {
    if ((status === "answered") !== (answer !== null)) wrong(`${tool_use_id} is ${status} in the history: ${answer}`);
    if ((status === "pending") !== (decided_by === null)) wrong(`${tool_use_id} is ${status}, decided by someone`);
  }
  const counts = [session.pending_asks, session.pending.length, pending.length];
  if (new Set(counts).size > 1) wrong(`a session has ${counts.join(", ")} open asks in one reply`);
  if (session.current_round !== session.dialog_history.length) wrong("a session counts other rounds than it shows");
  if ((session.status === "waiting_input") !== pending.length > 0) wrong(`a session is ${session.status}`);
}

/** Checks the rows themselves, in one statement. */
async function checkJoin({ wrong }: Scene, db: Database, conversation_id: string): Promise<void> {
  const rows = await readRows<{
    tool_use_id: string;
    answers: number;
    result: string | null;
    open: number;
    events: number;
  }>(
    db,
    `select a.tool_use_id, a.result,
       (select count(*) from question q join answer n
          on n.conversation_id = q.conversation_id and n.question_id = q.question_id
        where q.conversation_id = a.conversation_id and q.tool_use_id = a.tool_use_id) as answers,
       (select count(*) from inbox_item i where i.id = a.inbox_item_id and i.status = 'open') as open,
       (select count(*) from audit_event e where e.conversation_id = a.conversation_id
          and e.tool_use_id = a.tool_use_id and e.action = 'question.answered') as events
     from ask a where a.conversation_id = ? and a.status = 'answered'`,
    [conversation_id],
  );
  for (const row of rows)
    if (row.answers < 2 || row.result === null || row.open > 0 || row.events < 2)
      wrong(`${row.tool_use_id} is answered with ${JSON.stringify(row)}`);
}

/** Follows a thread by its cursor and returns how many messages it saw, each once. */
async function follow(scene: Scene, { hub }: Node, conversation_id: string, random: Random): Promise<number> {
  let cursor = 0;
  let last: string | null = null;
  for (;;) {
    const isLast = !scene.isWriting;
    const { messages, last_sequence } = await hub.readMessages(READER, {
      conversation_id,
      after: cursor,
      limit: random.between(1, 50),
    });
    for (const message of messages) {
      if (message.sequence_num !== cursor + 1) scene.wrong(`after message ${cursor} came ${message.sequence_num}`);
      if (message.parentUuid !== last)
        scene.wrong(`message ${message.sequence_num} has another parent than the one before`);
      cursor = message.sequence_num;
      last = message.uuid;
    }
    if (isLast && messages.length === 0) {
      if (cursor !== last_sequence) scene.wrong(`the thread has ${last_sequence} messages, and ${cursor} were read`);
      return cursor;
    }
    if (messages.length === 0) await yieldTurns(20);
  }
}
