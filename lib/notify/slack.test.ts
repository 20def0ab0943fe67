import { createServer } from "node:http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { ABOVE_SQL, testDatabase } from "../db/test-databases.ts";
import { portOf } from "../http/port-of.ts";
import { testServer } from "../http/test-server.ts";
import { agentKey, join, newSpace, setUp, type TestCaller } from "../http/test-team.ts";
import { CHOICE } from "../hub/test-hub.ts";
import type { AskView } from "../protocol/ask.ts";
import type { ChannelView } from "../protocol/notification.ts";
import { FAST, NOT_SET_UP } from "./test-receiver.ts";

// Slack's own clients, against an API and a socket of our own.

const waitFor = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 120_000, interval: 50 });

type Called = { method: string; args: Record<string, string>; at: number };
type Button = { action_id: string; value?: string; text: { text: string } };

async function slackApi() {
  const calls: Called[] = [];
  const acks: Array<{ id: string; before: number }> = [];
  const limits: Array<number | undefined> = [];
  let sockets: WebSocket[] = [];
  let count = 0;
  const server = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on("data", (part) => parts.push(part));
    req.on("end", () => {
      const method = (req.url ?? "").replace("/api/", "");
      const args = Object.fromEntries(new URLSearchParams(Buffer.concat(parts).toString("utf8")));
      const limit = method === "chat.postMessage" ? limits.shift() : undefined;
      if (limit !== undefined) {
        res.writeHead(429, { "retry-after": String(limit) }).end();
        return;
      }
      calls.push({ method, args, at: Date.now() });
      const url = `ws://127.0.0.1:${portOf(server)}/link`;
      const reply = { ok: true, url, channel: args.channel ?? "", ts: `17000000${++count}.000100` };
      res.setHeader("content-type", "application/json");
      res.end(JSON.stringify(reply));
    });
  });
  const wss = new WebSocketServer({ server });
  wss.on("connection", (socket) => {
    sockets.push(socket);
    socket.on("close", () => {
      sockets = sockets.filter((one) => one !== socket);
    });
    socket.on("message", (data) => acks.push({ id: JSON.parse(String(data)).envelope_id, before: calls.length }));
    socket.send(JSON.stringify({ type: "hello", num_connections: 1, connection_info: { app_id: "A1" } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.terminate();
        wss.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  let envelopes = 0;
  return {
    apiUrl: `http://127.0.0.1:${portOf(server)}/api/`,
    calls,
    acks,
    limits,
    sent: (method: string) => calls.filter((call) => call.method === method),
    isConnected: () => sockets.length > 0,
    drop: () => {
      for (const socket of sockets.splice(0)) socket.terminate();
    },
    /** Something happens in Slack. Returns the envelope, to send it again. */
    emit: (payload: object, envelope_id = `env${++envelopes}`) => {
      const text = JSON.stringify({ envelope_id, type: "interactive", payload, accepts_response_payload: true });
      for (const socket of sockets) socket.send(text);
      return envelope_id;
    },
  };
}

const buttonsIn = ({ args }: Called): Button[] =>
  (JSON.parse(args.blocks ?? "[]") as Array<{ type: string; elements?: Button[] }>).flatMap(
    ({ elements = [] }) => elements,
  );

const click = (user: string, button: Button | undefined, message: { channel: string; ts: string }) => ({
  type: "block_actions",
  user: { id: user },
  trigger_id: "trigger",
  container: { type: "message", channel_id: message.channel, message_ts: message.ts },
  actions: [{ type: "button", action_ts: "1700.1", ...button }],
});

describe.each(ABOVE_SQL)("Slack on %s", (kind) => {
  const started = async () => {
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const slack = await slackApi();
    const settings = { botToken: "xoxb-test", appToken: "xapp-test", channel: undefined, apiUrl: slack.apiUrl };
    const server = await testServer(database.url, { notify: { ...NOT_SET_UP, slack: settings }, notifying: FAST });
    onTestFinished(server.stop);
    await waitFor(() => expect(slack.isConnected()).toBe(true));
    const admin = await setUp(server);
    const mei = await join(server, admin, "Mei");
    const space = await newSpace(admin, "Payments", { members: [mei.person.id] });
    const key = await agentKey(server, admin, "builder", space);
    return { server, slack, admin, mei, key, space };
  };
  /** Adds a Slack account as a channel, and confirms it in Slack. */
  const linked = async (slack: Awaited<ReturnType<typeof slackApi>>, who: TestCaller, user: string) => {
    const added = await who.post("/api/me/channels", { target: { kind: "slack", address: user } });
    expect(added.status).toBe(201);
    const { channel } = added.body as unknown as { channel: ChannelView };
    const asked = slack.sent("chat.postMessage").at(-1) as Called;
    slack.emit(click(user, buttonsIn(asked)[0], { channel: user, ts: "1" }));
    await waitFor(async () => {
      const { channels } = (await who.get("/api/me/channels")).body as unknown as { channels: ChannelView[] };
      expect(channels.find(({ id }) => id === channel.id)?.verified_at).not.toBeNull();
    });
    await waitFor(() => expect(slack.sent("chat.postEphemeral")).toHaveLength(1));
    slack.calls.length = 0;
    return channel;
  };
  const ask = async (key: TestCaller, more: object = {}) => {
    const { body } = await key.post("/api/asks", { ...CHOICE, ...more });
    return (body as unknown as { ask: AskView }).ask;
  };
  const read = async (key: TestCaller, { tool_use_id, session_id }: AskView) => {
    const { body } = await key.get(`/api/asks/${tool_use_id}?session_id=${session_id}`);
    return (body as unknown as { ask: AskView }).ask;
  };
  const questionIn = async (slack: Awaited<ReturnType<typeof slackApi>>) => {
    await waitFor(() => expect(slack.sent("chat.postMessage")).toHaveLength(1));
    return slack.sent("chat.postMessage")[0] as Called;
  };

  test("a click answers once, however often it arrives, and the message is rewritten", async () => {
    const { server, slack, mei, key } = await started();
    await linked(slack, mei, "U0MEI");
    const asked = await ask(key, { question_text: "Ship <it> & *now* @here?" });
    const message = await questionIn(slack);
    expect(message.args).toMatchObject({ channel: "U0MEI", mrkdwn: "false", link_names: "false" });
    expect(message.args.text).toContain("Ship &lt;it&gt; &amp; *now* @here?");
    const blocks = JSON.parse(message.args.blocks ?? "[]");
    expect(blocks[1]).toMatchObject({ text: { type: "plain_text", text: "Ship <it> & *now* @here?" } });
    const buttons = buttonsIn(message);
    expect(buttons.map(({ text }) => text.text)).toEqual(["A", "B", "Open in Parley"]);

    const payload = click("U0MEI", buttons[1], { channel: "U0MEI", ts: "170000001.000100" });
    const envelope = slack.emit(payload);
    for (let nth = 0; nth < 9; nth++) slack.emit(payload, envelope);
    await waitFor(async () => expect((await read(key, asked)).status).toBe("answered"));
    const settled = await read(key, asked);
    expect(settled.result).toMatchObject({
      answers: [{ value: "b" }],
      decided_by: { name: "Mei", surface: "slack", provenance: "slack", id: mei.person.id },
    });
    await waitFor(() => expect(slack.acks.filter(({ id }) => id === envelope)).toHaveLength(10));
    // Slack waits three seconds for this, so it comes before any work: nothing was sent between the click and it.
    const [first] = slack.acks.filter(({ id }) => id === envelope);
    expect(slack.calls.slice(0, first?.before).map(({ method }) => method)).not.toContain("chat.update");
    await waitFor(() => expect(slack.sent("chat.update")).toHaveLength(1));
    expect(slack.sent("chat.update")[0]?.args.text).toContain("Answered by Mei: B");
    expect(buttonsIn(slack.sent("chat.update")[0] as Called)).toEqual([]);
    // Only the first of them answered; the others were told nothing, because they were the same click.
    expect(slack.sent("chat.postEphemeral")).toEqual([]);

    // A late click explains itself.
    slack.emit({ ...payload, actions: [{ ...buttons[0], action_ts: "1700.2" }] });
    await waitFor(() => expect(slack.sent("chat.postEphemeral")).toHaveLength(1));
    expect(server.errors).toEqual([]);
  });

  test("nobody answers who has not confirmed, or may not see the question", async () => {
    const { slack, admin, mei, key, server } = await started();
    const otto = await join(server, admin, "Otto");
    await linked(slack, mei, "U0MEI");
    await linked(slack, otto, "U0OTTO");
    const asked = await ask(key);
    const [button] = buttonsIn(await questionIn(slack));
    slack.emit(click("U0STRANGER", button, { channel: "C1", ts: "1" }));
    await waitFor(() => expect(slack.sent("chat.postEphemeral")).toHaveLength(1));
    expect(slack.sent("chat.postEphemeral")[0]?.args).toMatchObject({
      user: "U0STRANGER",
      text: expect.stringContaining("does not know your Slack account"),
    });
    slack.emit(click("U0OTTO", button, { channel: "C1", ts: "1" }));
    await waitFor(() => expect(slack.sent("chat.postEphemeral")).toHaveLength(2));
    expect(slack.sent("chat.postEphemeral")[1]?.args.text).toContain("can’t answer this question in Slack");
    expect((await read(key, asked)).status).toBe("pending");
  });

  test("an account belongs to whoever it confirmed, and gets nothing before", async () => {
    const { slack, admin, mei, key } = await started();
    await linked(slack, mei, "U0MEI");
    // Someone else says that it is theirs: nothing changes, and only the request to confirm is sent.
    await admin.post("/api/me/channels", { target: { kind: "slack", address: "U0MEI" } });
    expect(slack.sent("chat.postMessage").map(({ args }) => args.text)).toEqual([expect.stringContaining("Ada")]);
    slack.calls.length = 0;
    const asked = await ask(key);
    const [button] = buttonsIn(await questionIn(slack));
    slack.emit(click("U0MEI", button, { channel: "U0MEI", ts: "1" }));
    await waitFor(async () => expect((await read(key, asked)).result?.decided_by.name).toBe("Mei"));
  });

  test("a form answers several questions, with other words and none", async () => {
    const { slack, mei, key } = await started();
    await linked(slack, mei, "U0MEI");
    const asked = await ask(key, {
      questions: [
        { question: "Which ones?", header: "Which", multiSelect: true, options: [{ label: "One" }, { label: "Two" }] },
        { question: "Where?", header: "Where", options: [{ label: "Here" }, { label: "There" }] },
      ],
      question_text: undefined,
      type: undefined,
      options: undefined,
    });
    const buttons = buttonsIn(await questionIn(slack));
    const open = buttons.find(({ action_id }) => action_id === "form");
    slack.emit(click("U0MEI", open, { channel: "U0MEI", ts: "1" }));
    await waitFor(() => expect(slack.sent("views.open")).toHaveLength(1));
    const view = JSON.parse(slack.sent("views.open")[0]?.args.view ?? "{}");
    expect(view.blocks.map(({ block_id }: { block_id?: string }) => block_id).filter(Boolean)).toEqual(
      expect.arrayContaining(["q0", "q1"]),
    );
    const values = {
      q0: { choice: { type: "checkboxes", selected_options: [{ value: "0" }, { value: "1" }] } },
      q1: { choice: { type: "radio_buttons", selected_option: null } },
      t1: { text: { type: "plain_text_input", value: "Elsewhere" } },
    };
    slack.emit({
      type: "view_submission",
      user: { id: "U0MEI" },
      view: { id: "V1", callback_id: "answer", private_metadata: view.private_metadata, state: { values } },
    });
    await waitFor(async () => expect((await read(key, asked)).status).toBe("answered"));
    expect((await read(key, asked)).result?.answers).toMatchObject([
      { labels: ["One", "Two"] },
      { text: "Elsewhere", labels: [] },
    ]);
  });

  test("waits as long as Slack asks, and connects again when the socket breaks", async () => {
    const { slack, mei, key } = await started();
    await linked(slack, mei, "U0MEI");
    slack.drop();
    await vi.waitFor(() => expect(slack.isConnected()).toBe(true), { timeout: 120_000, interval: 50 });
    slack.limits.push(1);
    const at = Date.now();
    const asked = await ask(key);
    const message = await questionIn(slack);
    expect(message.at - at).toBeGreaterThanOrEqual(1_000);
    slack.emit(click("U0MEI", buttonsIn(message)[0], { channel: "U0MEI", ts: "1" }));
    await waitFor(async () => expect((await read(key, asked)).status).toBe("answered"));
  });
});
