import { Webhook } from "standardwebhooks";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { readTables } from "../../scripts/chaos/kit/tables.ts";
import { ABOVE_SQL, DATABASES, type DatabaseKind, testDatabase } from "../db/test-databases.ts";
import { testServer } from "../http/test-server.ts";
import { agentKey, caller, join, newSpace, setUp } from "../http/test-team.ts";
import { CHOICE } from "../hub/test-hub.ts";
import type { AskView } from "../protocol/ask.ts";
import type { InboxItem } from "../protocol/inbox.ts";
import type { ChannelView, NotificationView } from "../protocol/notification.ts";
import { stopClock } from "../test-clock.ts";
import { createNotify } from "./notify.ts";
import { FAST, NOT_SET_UP, type Received, testReceiver } from "./test-receiver.ts";

// The engine from the ask to the receiver, on real servers.

const waitFor = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 120_000, interval: 50 });

const startedOn = async (kind: DatabaseKind, more: Parameters<typeof testServer>[1] = {}) => {
  const database = await testDatabase(kind);
  onTestFinished(database.drop);
  const receiver = await testReceiver();
  const server = await testServer(database.url, { notify: NOT_SET_UP, notifying: FAST, ...more });
  onTestFinished(server.stop);
  return { server, receiver, local: caller(server), url: database.url };
};
const timed = (timing: Partial<typeof FAST.timing>) => ({ notifying: { timing: { ...FAST.timing, ...timing } } });
const ask = async (local: ReturnType<typeof caller>, more: object = {}) => {
  const { body } = await local.post("/api/asks", { ...CHOICE, ...more });
  return (body as unknown as { ask: { session_id: string; tool_use_id: string; inbox_item_id: string } }).ask;
};

describe.each(ABOVE_SQL)("notifications on %s", (kind) => {
  const started = (more: Parameters<typeof testServer>[1] = {}) => startedOn(kind, more);

  test("notify the one local person by ntfy, and tell the agent", async () => {
    const { server, receiver, local } = await started();
    const added = await local.post("/api/me/channels", { target: { kind: "ntfy", url: `${receiver.url}/my-topic` } });
    expect(added.status).toBe(201);
    const { session_id, tool_use_id } = await ask(local);
    await waitFor(() => expect(receiver.received).toHaveLength(1));
    const { path, body } = receiver.received[0] ?? { path: "", body: "{}" };
    expect(path).toBe("/");
    expect(JSON.parse(body)).toMatchObject({ topic: "my-topic", title: "external has a question" });
    expect(JSON.parse(body).message).toContain("Which way?");
    // Whatever follows links before a person does, changes nothing.
    for (const link of new Set(body.match(/https?:[^"]+/g))) {
      const { pathname, search } = new URL(link);
      for (const method of ["GET", "HEAD"]) await fetch(`${server.url}${pathname}${search}`, { method });
    }
    expect((await local.get("/api/inbox")).body).toMatchObject({ counts: { open: 1 } });
    await waitFor(async () => {
      const read = await local.get(`/api/asks/${tool_use_id}?session_id=${session_id}`);
      expect(read.body).toMatchObject({
        ask: { notification_status: { notified: 1, note: null, next_at: expect.any(String) } },
      });
    });
    expect(server.errors).toEqual([]);
  });

  test("leave a person alone who has put the question away, and tell them when it comes back", async () => {
    const { server, receiver } = await started();
    const admin = await setUp(server);
    const mei = await join(server, admin, "Mei");
    const space = await newSpace(admin, "Payments", { members: [mei.person.id] });
    const key = await agentKey(server, admin, "builder", space);
    await mei.post("/api/me/channels", { target: { kind: "ntfy", url: `${receiver.url}/mei` } });
    const { inbox_item_id } = await ask(key);
    await waitFor(() => expect(receiver.received).toHaveLength(1));
    const clock = stopClock();
    const until = Date.now() + 3_000;
    const snoozed = await mei.post("/api/inbox/snooze", {
      inbox_item_ids: [inbox_item_id],
      until: new Date(until).toISOString(),
    });
    expect(snoozed).toMatchObject({ status: 200, body: { results: [{ success: true }] } });
    clock.move(3_000);
    await waitFor(() => expect(receiver.received).toHaveLength(2));
    expect(receiver.received[1]?.at).toBeGreaterThanOrEqual(until);
    // Once: nothing else is due before the next step.
    await server.notify.sweep(Date.now() + 60_000);
    await server.notify.sendNow();
    expect(receiver.received).toHaveLength(2);
    expect(server.errors).toEqual([]);
  });

  test("leave a lone person alone on the channels of the settings too", async () => {
    const receiver = await testReceiver();
    const { server, local } = await started({
      notify: { ...NOT_SET_UP, fixedHosts: ["127.0.0.1"], ntfy: { kind: "ntfy", url: `${receiver.url}/t` } },
      notifying: { timing: { ...FAST.timing, holdMs: 1_000 } },
    });
    const { inbox_item_id } = await ask(local);
    const until = Date.now() + 4_000;
    await local.post("/api/inbox/snooze", { inbox_item_ids: [inbox_item_id], until: new Date(until).toISOString() });
    await waitFor(() => expect(receiver.received).not.toHaveLength(0));
    expect(receiver.received[0]?.at).toBeGreaterThanOrEqual(until);
    expect(receiver.received).toHaveLength(1);
    expect(server.errors).toEqual([]);
  });

  test("never tell anyone of a question that was answered in time", async () => {
    const { server, receiver, local } = await started();
    const clock = stopClock();
    await local.post("/api/me/channels", { target: { kind: "ntfy", url: `${receiver.url}/t` } });
    const { session_id } = await ask(local, { tool_use_id: "t" });
    await local.post("/api/task/answer", { session_id, question_id: "t", answer: "a" });
    clock.move(60_000);
    await server.notify.sweep(Date.now());
    await server.notify.sendNow();
    expect(receiver.received).toEqual([]);
    expect(await local.get("/api/notifications")).toMatchObject({ body: { notifications: [] } });
  });

  test("tell programs what happens to a question, signed", async () => {
    const { receiver, local } = await started();
    const added = await local.post("/api/me/channels", { target: { kind: "webhook", url: `${receiver.url}/hook` } });
    const { secret } = added.body as unknown as { secret: string };
    const { session_id } = await ask(local, { tool_use_id: "t" });
    await waitFor(() => expect(receiver.received).toHaveLength(1));
    await local.post("/api/task/answer", { session_id, question_id: "t", answer: "a" });
    await waitFor(() => expect(receiver.received).toHaveLength(2));
    const events = receiver.received.map(({ body, headers }) =>
      new Webhook(secret).verify(body, headers as Record<string, string>),
    );
    expect(events).toMatchObject([
      { type: "question.asked", data: { ask: { status: "pending" } } },
      { type: "question.settled", data: { ask: { status: "answered" } } },
    ]);
    // Who verifies them refuses one that was changed, and a copy that arrives six minutes later.
    const { body, headers } = receiver.received[0] as Received;
    const verify = (text: string) => () => new Webhook(secret).verify(text, headers as Record<string, string>);
    expect(verify(body.replace("Which way?", "Which path?"))).toThrow("No matching signature");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 6 * 60_000 });
    expect(verify(body)).toThrow("too old");
    vi.useRealTimers();
  });

  test("an agent that asks a thousand times at once is stopped, and its people get one message", async () => {
    // Not by the minute: nobody knows how long a slow machine takes for a thousand.
    const { server, receiver } = await started({ limits: { maxPerMinute: 0, maxOpen: 60 } });
    const admin = await setUp(server);
    const key = await agentKey(server, admin);
    const replies: Awaited<ReturnType<typeof key.post>>[] = [];
    // A hundred connections at a time: a slow machine does not read a thousand before Parley closes those that say nothing.
    for (let wave = 0; wave < 10; wave++)
      replies.push(...(await Promise.all(Array.from({ length: 100 }, () => key.post("/api/asks", CHOICE)))));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(60);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(940);
    // Only now can someone be reached, so that all of it is due at once.
    await admin.post("/api/me/channels", { target: { kind: "ntfy", url: `${receiver.url}/t` } });
    const sent = async () => {
      const { body } = await admin.get("/api/notifications?limit=200&state=sent");
      return (body as unknown as { notifications: NotificationView[] }).notifications.length;
    };
    await waitFor(async () => expect(await sent()).toBe(60));
    expect(receiver.received.map(({ body }) => JSON.parse(body).title)).toEqual(["60 questions are waiting"]);
    expect(server.errors).toEqual([]);
  });

  test("go on for a lone developer who turns sign-in on", async () => {
    const { server, receiver, local } = await started();
    const target = { kind: "ntfy", url: `${receiver.url}/phone` };
    await local.post("/api/me/channels", { target });
    await local.post("/api/me/channels", { target: { kind: "webhook", url: `${receiver.url}/hook` } });
    const messages = () => receiver.received.filter(({ path }) => path === "/");
    await ask(local, { tool_use_id: "before" });
    await waitFor(() => expect(messages()).toHaveLength(1));
    // One more is on its way when the account is created: it is sent to the account.
    receiver.reply = { status: 503, headers: { "retry-after": "1" } };
    await ask(local, { tool_use_id: "on-its-way" });
    await waitFor(() => expect(messages()).toHaveLength(2));
    receiver.reply = { status: 200, headers: {} };
    const admin = await setUp(server);
    await waitFor(() => expect(messages()).toHaveLength(3));
    await ask(await agentKey(server, admin), { tool_use_id: "after" });
    await waitFor(() => expect(messages()).toHaveLength(4));
    expect(messages().map(({ body }) => JSON.parse(body).topic)).toEqual(Array(4).fill("phone"));

    const own = async () =>
      ((await admin.get("/api/me/channels")).body as unknown as { channels: ChannelView[] }).channels;
    expect(await own()).toMatchObject([{ kind: "ntfy", person_id: admin.person.id }]);
    // The same address again is the same channel, as if the account had added it.
    await admin.post("/api/me/channels", { target });
    expect(await own()).toHaveLength(1);
    const { events } = (await admin.get("/api/audit?session_id=parley")).body as unknown as {
      events: Array<{ action: string; after: { channels?: string[] } }>;
    };
    expect(events.find(({ action }) => action === "person.joined")?.after.channels).toHaveLength(1);
    expect(server.errors).toEqual([]);
  });

  test("tell each person on their own channels, and nobody who may not see the question", async () => {
    const { server, receiver } = await started();
    const admin = await setUp(server);
    const [mei, otto] = [await join(server, admin, "Mei"), await join(server, admin, "Otto")];
    const space = await newSpace(admin, "Payments", { members: [mei.person.id] });
    const key = await agentKey(server, admin, "builder", space);
    for (const [who, topic] of [
      [admin, "admin"],
      [mei, "mei"],
      [otto, "otto"],
    ] as const)
      await who.post("/api/me/channels", { target: { kind: "ntfy", url: `${receiver.url}/${topic}` } });
    const { inbox_item_id } = await ask(key);
    const topics = () => receiver.received.map(({ body }) => JSON.parse(body).topic);
    await waitFor(() => expect(topics()).toEqual(["mei"]));

    // The agent learns who saw it.
    await otto.post("/api/inbox/seen", { inbox_item_ids: [inbox_item_id] });
    await mei.post("/api/inbox/seen", { inbox_item_ids: [inbox_item_id] });
    await waitFor(async () => {
      const inbox = await mei.get(`/api/notifications?inbox_item_id=${inbox_item_id}`);
      expect(inbox.body).toMatchObject({
        notifications: [{ state: "sent", person_id: mei.person.id, event: "asked" }],
      });
    });
    const [item] = ((await mei.get("/api/inbox")).body as unknown as { items: InboxItem[] }).items;
    await waitFor(async () => {
      const read = await key.get(`/api/asks/${item?.tool_use_id}?session_id=${item?.session_id}`);
      expect(read.body).toMatchObject({ ask: { notification_status: { notified: 1, seen_by: "Mei" } } });
    });
    // Otto may not see it, and learns nothing of it.
    expect(await otto.get(`/api/notifications?inbox_item_id=${inbox_item_id}`)).toMatchObject({ status: 404 });

    // Assigned to the admin, who is notified at once.
    await mei.post("/api/inbox/assign", { inbox_item_ids: [inbox_item_id], person_id: admin.person.id });
    await waitFor(() => expect(topics()).toEqual(["mei", "admin"]));
    expect(server.errors).toEqual([]);
  });

  test("escalate at once when nobody can be reached, and say so", async () => {
    const { server, receiver } = await started();
    const admin = await setUp(server);
    const mei = await join(server, admin, "Mei");
    const space = await newSpace(admin, "Payments", { members: [mei.person.id] });
    const key = await agentKey(server, admin, "builder", space);
    await mei.post("/api/me/channels", { target: { kind: "ntfy", url: `${receiver.url}/mei` } });
    await mei.post("/api/me", { out_of_office_until: new Date(Date.now() + 3_600_000).toISOString() });
    const { session_id, tool_use_id } = await ask(key);
    const status = async () => {
      const { body } = await key.get(`/api/asks/${tool_use_id}?session_id=${session_id}`);
      return (body as unknown as { ask: AskView }).ask.notification_status;
    };
    await waitFor(async () => expect(await status()).toMatchObject({ notified: 0, note: "nobody_reachable" }));
    expect((await status())?.reachable_at).not.toBeNull();
    // As soon as someone can be reached, they are.
    await admin.post("/api/me/channels", { target: { kind: "ntfy", url: `${receiver.url}/admin` } });
    await waitFor(async () => expect(await status()).toMatchObject({ notified: 1, note: null }));
    expect(receiver.received.map(({ body }) => JSON.parse(body).topic)).toEqual(["admin"]);
  });

  test("respect what a person chose for a space", async () => {
    const { server, receiver } = await started();
    const admin = await setUp(server);
    const mei = await join(server, admin, "Mei");
    const key = await agentKey(server, admin);
    await mei.post("/api/me/channels", { target: { kind: "ntfy", url: `${receiver.url}/mei` } });
    await admin.post("/api/me/channels", { target: { kind: "ntfy", url: `${receiver.url}/admin` } });
    expect(await mei.post("/api/me/spaces/spc_everyone", { notify: "none" })).toMatchObject({ status: 200 });
    expect((await mei.get("/api/me")).body).toMatchObject({ spaces: [{ notify: "none" }] });
    await ask(key);
    await waitFor(() => expect(receiver.received).toHaveLength(1));
    expect(JSON.parse(receiver.received[0]?.body ?? "")).toMatchObject({ topic: "admin" });
  });

  test("obey Retry-After", async () => {
    const { receiver, local } = await started();
    await local.post("/api/me/channels", { target: { kind: "ntfy", url: `${receiver.url}/t` } });
    receiver.reply = { status: 429, headers: { "retry-after": "2" } };
    await ask(local);
    await waitFor(() => expect(receiver.received).toHaveLength(1));
    receiver.reply = { status: 200 };
    await waitFor(() => expect(receiver.received).toHaveLength(2));
    const [first, second] = receiver.received;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_900);
  });

  test("refuse addresses that only Parley can reach", async () => {
    const { server, local, receiver } = await started({ notify: { ...NOT_SET_UP, privateHosts: [] } });
    const port = new URL(receiver.url).port;
    for (const host of [
      "127.0.0.1",
      "localhost",
      "[::ffff:127.0.0.1]",
      "2130706433",
      "0x7f.1",
      "0.0.0.0",
      "169.254.169.254",
      "100.64.0.1",
      "[fe80::1]",
      "[::1]",
    ]) {
      const url = `http://${host}:${port}/hook`;
      const added = await local.post("/api/me/channels", { target: { kind: "webhook", url } });
      const { channel } = added.body as unknown as { channel: ChannelView };
      const tested = await local.post(`/api/channels/${channel.id}/test`);
      expect([host, tested.body]).toMatchObject([host, { arrived: false, error: expect.stringContaining("private") }]);
      await local.post(`/api/channels/${channel.id}/remove`);
    }
    expect(receiver.received).toEqual([]);
    expect(server.errors).toEqual([]);
  });

  test("follow no redirect", async () => {
    const { local, receiver } = await started();
    const inner = await testReceiver();
    receiver.reply = { status: 302, headers: { location: `${inner.url}/secret` } };
    const added = await local.post("/api/me/channels", { target: { kind: "webhook", url: `${receiver.url}/hook` } });
    const { channel } = added.body as unknown as { channel: ChannelView };
    expect((await local.post(`/api/channels/${channel.id}/test`)).body).toMatchObject({
      arrived: false,
      error: expect.stringContaining("does not follow redirects"),
    });
    expect(inner.received).toEqual([]);
  });

  test("keep addresses and secrets encrypted", async () => {
    const { local, receiver, url } = await started();
    const added = await local.post("/api/me/channels", {
      target: { kind: "ntfy", url: `${receiver.url}/a-secret-topic`, token: "tk_canary" },
    });
    expect(JSON.stringify(added.body)).not.toMatch(/a-secret-topic|tk_canary/);
    const tables = await readTables(url);
    expect(tables.channel).toHaveLength(1);
    expect(JSON.stringify(tables)).not.toMatch(/a-secret-topic|tk_canary/);
  });

  test("hostile text arrives as text", async () => {
    const { receiver, local } = await started();
    await local.post("/api/me/channels", { target: { kind: "ntfy", url: `${receiver.url}/t` } });
    const text = "Drop it?\r\nX-Evil: 1 <b>bold</b> \u202Egnp.exe & *stars* \u0007";
    await ask(local, { question_text: text, agent: "evil\nagent" });
    await waitFor(() => expect(receiver.received).toHaveLength(1));
    const { headers, body } = receiver.received[0] as Received;
    expect(headers["x-evil"]).toBeUndefined();
    const message = JSON.parse(body);
    expect(message.message).toMatch(/^Drop it\? X-Evil: 1 <b>bold<\/b> gnp\.exe & \*stars\*/);
    expect(message.title).not.toContain("\n");
  });
});

// What depends on how leases, attempts and withdrawals are written.
describe.each(DATABASES)("pending notifications on %s", (kind) => {
  const started = (more: Parameters<typeof testServer>[1] = {}) => startedOn(kind, more);

  test("are tried again, with the same id, and given up with a word to the owner", async () => {
    const { receiver, local } = await started();
    await local.post("/api/me/channels", { target: { kind: "webhook", url: `${receiver.url}/hook` } });
    receiver.reply = { status: 503 };
    await ask(local);
    await waitFor(async () => {
      const { body } = await local.get("/api/notifications?state=failed");
      expect(body).toMatchObject({
        notifications: [{ attempts: 4, error: `${receiver.host} replied with status 503` }],
      });
    });
    expect(receiver.received).toHaveLength(4);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    const { channels } = (await local.get("/api/me/channels")).body as unknown as { channels: ChannelView[] };
    expect(channels).toMatchObject([{ last_error: `${receiver.host} replied with status 503`, disabled: false }]);
    // What the receiver replied is nobody's business.
    expect(JSON.stringify(channels)).not.toContain("secret of the receiver");

    receiver.reply = { status: 200 };
    const [failed] = (
      (await local.get("/api/notifications?state=failed")).body as unknown as { notifications: NotificationView[] }
    ).notifications;
    expect(await local.post(`/api/notifications/${failed?.id}/replay`)).toMatchObject({ status: 200 });
    await waitFor(() => expect(receiver.received).toHaveLength(5));
    expect(receiver.received[4]?.headers["webhook-id"]).toBe(failed?.id);
  });

  test("become one message when there are many at once", async () => {
    const { server, receiver, local } = await started();
    const clock = stopClock();
    await local.post("/api/me/channels", { target: { kind: "ntfy", url: `${receiver.url}/t` } });
    await Promise.all(Array.from({ length: 200 }, (_, nth) => ask(local, { question_text: `Question ${nth}?` })));
    const count = async (state: string) => {
      const { body } = await local.get(`/api/notifications?limit=200${state}`);
      return (body as unknown as { notifications: NotificationView[] }).notifications.length;
    };
    clock.move(FAST.timing.holdMs);
    await waitFor(async () => expect(await count("")).toBe(200));
    await server.notify.sendNow();
    clock.move(FAST.timing.digestMs);
    await waitFor(async () => expect(await count("&state=sent")).toBe(200));
    // At most three on their own, then one for the rest.
    expect(receiver.received.length).toBeLessThanOrEqual(4);
    expect(receiver.received.map(({ body }) => JSON.parse(body).title)).toContainEqual(
      expect.stringMatching(/^\d+ questions are waiting$/),
    );
    expect(server.errors).toEqual([]);
  });

  test("are withdrawn when the question is settled before they could be sent", async () => {
    const { server, receiver, local } = await started();
    await local.post("/api/me/channels", { target: { kind: "ntfy", url: `${receiver.url}/t` } });
    receiver.reply = { status: 503, headers: { "retry-after": "3600" } };
    const { session_id } = await ask(local, { tool_use_id: "t" });
    await waitFor(() => expect(receiver.received).toHaveLength(1));
    await local.post("/api/task/answer", { session_id, question_id: "t", answer: "a" });
    await waitFor(async () =>
      expect((await local.get("/api/notifications")).body).toMatchObject({ notifications: [{ state: "withdrawn" }] }),
    );
    expect(receiver.received).toHaveLength(1);
    expect(server.errors).toEqual([]);
  });

  test("arrive on other channels while one is slow, to which two at most are sent at once", async () => {
    const { server, receiver, local } = await started();
    const slow = await testReceiver();
    slow.gate = new Promise(() => {});
    await local.post("/api/me/channels", { target: { kind: "webhook", url: `${slow.url}/hook` } });
    for (let nth = 0; nth < 12; nth++) await ask(local);
    await waitFor(() => expect(slow.open).toBe(2));
    await local.post("/api/me/channels", { target: { kind: "ntfy", url: `${receiver.url}/phone` } });
    await ask(local);
    await waitFor(() => expect(receiver.received).not.toHaveLength(0));
    expect(slow.received.length).toBeLessThan(12);
    expect(slow.mostOpen).toBe(2);
    expect(server.errors).toEqual([]);
  });

  test("that a service has not confirmed when Parley stops are not sent again", async () => {
    // On a slow machine some may have failed by then: they are not tried again either, so that none can come twice.
    const { server, receiver, local, url } = await started(timed({ retriesMs: [3_600_000] }));
    await local.post("/api/me/channels", { target: { kind: "webhook", url: `${receiver.url}/hook` } });
    receiver.gate = new Promise(() => {});
    for (let nth = 0; nth < 5; nth++) await ask(local, { tool_use_id: `t${nth}` });
    await waitFor(() => expect(receiver.open).toBe(2));
    await server.stop();
    receiver.gate = Promise.resolve();
    const again = await testServer(url, { notify: NOT_SET_UP, notifying: FAST });
    onTestFinished(again.stop);
    const asked = () => receiver.received.map(({ body }) => JSON.parse(body).data.ask.tool_use_id).sort();
    await waitFor(() => expect(new Set(asked()).size).toBe(5));
    await again.notify.sendNow();
    expect(asked()).toEqual(["t0", "t1", "t2", "t3", "t4"]);
  });

  test("are sent once by two senders at once", async () => {
    const { server, receiver, local } = await started();
    await local.post("/api/me/channels", { target: { kind: "webhook", url: `${receiver.url}/hook` } });
    const { ctx } = server.notify;
    const other = createNotify({
      db: ctx.db,
      node: server.hub.node,
      auth: server.auth.ctx,
      settings: NOT_SET_UP,
      secret: "x".repeat(32),
      publicUrl: ctx.publicUrl,
      isLooking: () => false,
      isSomebodyHere: () => false,
      clock: Date.now,
      onError: (error) => server.errors.push(error),
      ...FAST,
    });
    // With the same secret, or it could not read the addresses.
    Object.assign(other.ctx, { cipher: ctx.cipher });
    const call = { actor: { kind: "agent", name: "builder", surface: "rest", rights: ["ask", "read"] } as const };
    for (let nth = 0; nth < 400; nth += 100)
      await Promise.all(
        Array.from({ length: 100 }, () =>
          server.hub.ask({ ...call, now: Date.now() }, { ...CHOICE, agent: "builder" }),
        ),
      );
    const sweep = async (notify: typeof other) => {
      await notify.sweep(Date.now());
      await notify.sendNow();
    };
    await vi.waitFor(
      async () => {
        await Promise.all([sweep(server.notify), sweep(other), sweep(other), sweep(server.notify)]);
        expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(400);
      },
      { timeout: 120_000, interval: 50 },
    );
    expect(receiver.received).toHaveLength(400);
    expect(new Set(receiver.received.map(({ body }) => JSON.parse(body).data.inbox_item_id)).size).toBe(400);
    expect(server.errors).toEqual([]);
  });
});
