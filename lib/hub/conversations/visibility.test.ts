import { describe, expect, onTestFinished, test } from "vitest";
import { createRandom, type Random } from "../../../scripts/chaos/kit/random.ts";
import { DATABASES, testDatabase } from "../../db/test-databases.ts";
import type { Team } from "../../domain/team.ts";
import type { Actor, Call } from "../../protocol/actor.ts";
import { isParleyError } from "../../protocol/errors.ts";
import type { InboxQuery } from "../../protocol/inbox.ts";
import { EVERYONE } from "../../protocol/space.ts";
import type { Hub } from "../hub.ts";
import { CHOICE, testHub } from "../test-hub.ts";

// No list, count, search or export shows anyone anything from a space they cannot see, whatever the filters. A plain filter
// over all test data says what they may see.

const NOW = Date.UTC(2026, 5, 1);
const SPACES = [EVERYONE, "spc_a", "spc_b", "spc_c", "spc_d"];
const AGENTS = ["builder", "payer", "writer"];
const WORDS = ["apple", "banana", "cherry", "dates"];
const PEOPLE = ["ann", "bob", "cat"];
const READERS = 60;

type Made = {
  session_id: string;
  tool_use_id: string;
  space_id: string;
  key: string;
  agent: string;
  word: string;
  isOpen: boolean;
  by: string | undefined;
};

const space = (id: string) => ({ id, name: id, open: true, requires_second_person: false, members: new Set<string>() });
const TEAM: Team = {
  people: new Map(),
  spaces: new Map(SPACES.map((id) => [id, { ...space(id), archived: false, steps: null, detail: "full" }])),
  keys: new Map(),
};

describe.each(DATABASES)("who sees what on %s", (kind) => {
  test("no list ever has anything of a space or key that the caller does not see", async () => {
    const random = createRandom(20260101);
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const hub = testHub(await database.open(), { clock: () => 0, limits: { maxDepth: 1_000 }, team: () => TEAM });
    await hub.begin({ actor: { kind: "system", name: "parley", surface: "system", rights: [] }, now: 0 });
    const made = await make(hub, random, kind === "sqlite" ? 2_000 : 600);
    const wrong: string[] = [];
    for (let n = 0; n < READERS; n++) wrong.push(...(await compare(hub, random.fork(`reader ${n}`), made)));
    await hub.stop();
    expect(wrong).toEqual([]);
  });
});

/** Questions of several agents in several spaces, some of them settled. */
async function make(hub: Hub, random: Random, count: number): Promise<Made[]> {
  const one = async (n: number): Promise<Made> => {
    const [space_id, agent, word] = [random.pick(SPACES), random.pick(AGENTS), random.pick(WORDS)];
    const key = `key_${agent}_${space_id}`;
    const isOpen = random.chance(0.5);
    const by = isOpen ? undefined : random.pick(PEOPLE);
    const asker: Actor = {
      kind: "agent",
      name: agent,
      surface: "rest",
      id: key,
      rights: ["ask", "read"],
      scope: { key },
      key: { id: key, agent, space_id, owner_id: null },
    };
    const at = NOW - random.int(20 * 86_400_000);
    const tool_use_id = `t${n}`;
    const question = { ...CHOICE, question_text: `Which ${word}?`, tool_use_id, title: `About ${word}` };
    const { conversation_id } = await hub.ask({ actor: asker, now: at }, question);
    if (by) {
      const person: Actor = { kind: "person", name: by, surface: "browser", rights: ["answer", "read"] };
      await hub.answer({ actor: person, now: at + 1_000 }, { conversation_id, question_id: tool_use_id, answer: "a" });
    }
    return { session_id: conversation_id, tool_use_id, space_id, key, agent, word, isOpen, by };
  };
  const all: Made[] = [];
  for (let n = 0; n < count; n += 50)
    all.push(...(await Promise.all(Array.from({ length: 50 }, (_, index) => one(n + index)))));
  return all;
}

async function compare(hub: Hub, random: Random, made: Made[]): Promise<string[]> {
  const wrong: string[] = [];
  const scope = random.chance(0.3)
    ? { key: `key_${random.pick(AGENTS)}_${random.pick(SPACES)}` }
    : { spaces: random.shuffle(SPACES).slice(0, random.int(SPACES.length)) };
  const actor: Actor = { kind: "person", name: "reader", surface: "rest", id: "per_reader", rights: ["read"], scope };
  const call: Call = { actor, now: NOW };
  const visible = made.filter(({ space_id, key }) =>
    "key" in scope ? key === scope.key : scope.spaces.includes(space_id),
  );
  const ids = new Set(visible.map(({ session_id }) => session_id));
  const about = (what: string) => `${JSON.stringify(scope)}: ${what}`;
  const only = (what: string, sessions: string[]) => {
    const foreign = sessions.filter((id) => !ids.has(id));
    if (foreign.length > 0) wrong.push(about(`${what} shows ${foreign.length} of others`));
  };
  const same = (what: string, one: unknown, other: unknown) => {
    if (JSON.stringify(one) !== JSON.stringify(other)) wrong.push(about(`${what} is ${one}, not ${other}`));
  };

  const status = random.pick(["open", "closed", "all"] as const);
  const filter: InboxQuery = {
    status,
    ...(random.chance(0.4) && { q: random.pick(WORDS) }),
    ...(random.chance(0.3) && { agent: random.pick(AGENTS) }),
    ...(random.chance(0.3) && { space: random.shuffle(SPACES).slice(0, 2) }),
    ...(random.chance(0.2) && status !== "open" && { by: random.pick(PEOPLE) }),
    ...(random.chance(0.3) && { sort: random.pick(["newest", "oldest"] as const) }),
  };
  const matches = (one: Made) =>
    (status === "all" || one.isOpen === (status === "open")) &&
    (filter.q === undefined || one.word === filter.q) &&
    (filter.agent === undefined || one.agent === filter.agent) &&
    (filter.space === undefined || filter.space.includes(one.space_id)) &&
    (filter.by === undefined || one.by === filter.by);
  const expected = visible.filter(matches).map(({ session_id }) => session_id);
  const said = `the inbox by ${JSON.stringify(filter)}`;
  const listed: string[] = [];
  for (let cursor: string | undefined, page = 0; page < 30; page++) {
    const found = await hub.inbox(call, { ...filter, facets: "true", limit: 200, ...(cursor && { cursor }) });
    listed.push(...found.items.map(({ session_id }) => session_id));
    if (page === 0) {
      same(`${said}, its count`, found.counts.open, visible.filter(({ isOpen }) => isOpen).length);
      for (const { value } of found.facets?.spaces ?? [])
        if (!visible.some(({ space_id }) => space_id === value)) wrong.push(about(`${said} names the space ${value}`));
    }
    if (!found.next_cursor) break;
    cursor = found.next_cursor;
  }
  only(said, listed);
  same(said, [...listed].sort(), [...expected].sort());

  const { content } = await hub.exportInbox(call, { ...filter, format: "jsonl" });
  let exported = "";
  for await (const part of content) exported += part;
  const lines = exported.split("\n").filter(Boolean);
  only(
    `the export of ${said}`,
    lines.map((line) => (JSON.parse(line) as { session_id: string }).session_id),
  );
  same(`the export of ${said}`, lines.length, expected.length);

  const conversations = await hub.listConversations(call, { limit: 100 });
  only(
    "the list of conversations",
    conversations.sessions.map(({ session_id }) => session_id),
  );
  same("the list of conversations", conversations.sessions.length, Math.min(100, visible.length));
  const found = await hub.find(call, { q: random.pick(WORDS) });
  only(
    "what is found by words",
    found.conversations.map(({ session_id }) => session_id),
  );
  const insights = await hub.insights(call, {});
  same("insights, open now", insights.now.open, visible.filter(({ isOpen }) => isOpen).length);
  const agents = new Set(visible.filter(({ isOpen }) => !isOpen).map(({ agent }) => agent));
  // Settled questions are counted by space, so a key gets no counts.
  const counted = "key" in scope ? [] : [...agents].sort();
  same("insights, agents", insights.by_agent.map(({ agent }) => agent).sort(), counted);

  // One by one, nothing of others exists.
  const hidden = random.shuffle(made.filter(({ session_id }) => !ids.has(session_id))).slice(0, 3);
  for (const { session_id, tool_use_id } of hidden) {
    const target = { conversation_id: session_id, tool_use_id };
    const reads = [
      () => hub.readAsk(call, target),
      () => hub.readConversation(call, session_id),
      () => hub.readState(call, session_id),
      () => hub.readMessages(call, { conversation_id: session_id }),
      () => hub.exportConversation(call, session_id),
      () => hub.audit(call, { conversation_id: session_id }),
    ];
    for (const [index, read] of reads.entries()) {
      const code = await Promise.resolve(read()).then(
        () => "shown",
        (error: unknown) => (isParleyError(error) ? error.code : String(error)),
      );
      if (code !== "session_not_found") wrong.push(about(`read ${index} of a hidden conversation: ${code}`));
    }
  }
  return wrong;
}
