import { Webhook } from "standardwebhooks";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { DATABASES, testDatabase } from "../db/test-databases.ts";
import { testServer } from "../http/test-server.ts";
import { caller } from "../http/test-team.ts";
import { CHOICE } from "../hub/test-hub.ts";
import { FAST, NOT_SET_UP, testReceiver } from "./test-receiver.ts";

// The engine from the ask to the receiver, on real servers.

const waitFor = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 50 });

describe.each(DATABASES)("notifications on %s", (kind) => {
  const started = async (more: Parameters<typeof testServer>[1] = {}) => {
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const receiver = await testReceiver();
    const server = await testServer(database.url, { notify: NOT_SET_UP, notifying: FAST, ...more });
    onTestFinished(server.stop);
    return { server, receiver, local: caller(server) };
  };
  const ask = async (local: ReturnType<typeof caller>, more: object = {}) => {
    const { body } = await local.post("/api/asks", { ...CHOICE, ...more });
    return (body as unknown as { ask: { session_id: string; tool_use_id: string; inbox_item_id: string } }).ask;
  };

  test("tell the one local person by ntfy, and the agent that they were told", async () => {
    const { server, receiver, local } = await started();
    const added = await local.post("/api/me/channels", { target: { kind: "ntfy", url: `${receiver.url}/my-topic` } });
    expect(added.status).toBe(201);
    const { session_id, tool_use_id } = await ask(local);
    await waitFor(() => expect(receiver.received).toHaveLength(1));
    const [{ path, body }] = receiver.received as [{ path: string; body: string }];
    expect(path).toBe("/");
    expect(JSON.parse(body)).toMatchObject({ topic: "my-topic", title: "external has a question" });
    expect(JSON.parse(body).message).toContain("Which way?");
    await waitFor(async () => {
      const read = await local.get(`/api/asks/${tool_use_id}?session_id=${session_id}`);
      expect(read.body).toMatchObject({
        ask: { notification_status: { notified: 1, note: null, next_at: expect.any(String) } },
      });
    });
    expect(server.errors).toEqual([]);
  });

  test("never tell anybody of a question that was answered in time", async () => {
    const { server, receiver, local } = await started();
    await local.post("/api/me/channels", { target: { kind: "ntfy", url: `${receiver.url}/t` } });
    const { session_id } = await ask(local, { tool_use_id: "t" });
    await local.post("/api/task/answer", { session_id, question_id: "t", answer: "a" });
    await server.notify.sweep(Date.now() + 60_000);
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
  });
});
