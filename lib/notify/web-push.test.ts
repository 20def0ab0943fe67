import { createECDH, createPublicKey, randomBytes, verify } from "node:crypto";
import { createServer } from "node:https";
import ece from "http_ece";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ABOVE_SQL, testDatabase } from "../db/test-databases.ts";
import { portOf } from "../http/port-of.ts";
import { testServer } from "../http/test-server.ts";
import { caller } from "../http/test-team.ts";
import { CHOICE } from "../hub/test-hub.ts";
import type { ChannelView } from "../protocol/notification.ts";
import { testCertificate } from "./test-certificate.ts";
import { FAST, NOT_SET_UP } from "./test-receiver.ts";
import { vapidKeys } from "./vapid.ts";

// Against a push service of our own, which decrypts like a browser and checks signatures like a service.

const waitFor = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 120_000, interval: 50 });

type Push = { path: string; payload: string; size: number; headers: NodeJS.Dict<string | string[]>; vapid: object };

async function pushService() {
  const certificate = testCertificate();
  const pushes: Push[] = [];
  const replies: Array<{ status: number; headers?: Record<string, string> }> = [];
  const browser = createECDH("prime256v1");
  browser.generateKeys();
  const auth = randomBytes(16);
  const server = createServer(certificate, (req, res) => {
    const parts: Buffer[] = [];
    req.on("data", (part) => parts.push(part));
    req.on("end", () => {
      const body = Buffer.concat(parts);
      const { status, headers } = replies.shift() ?? { status: 201 };
      if (status < 300) {
        const plain = ece.decrypt(body, {
          version: "aes128gcm",
          privateKey: browser,
          authSecret: auth.toString("base64url"),
        });
        pushes.push({
          path: req.url ?? "",
          payload: plain.toString("utf8"),
          size: body.length,
          headers: req.headers,
          vapid: signedBy(String(req.headers.authorization)),
        });
      }
      res.writeHead(status, headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const subscription = (device: string) => ({
    endpoint: `https://localhost:${portOf(server)}/push/${device}`,
    keys: { p256dh: browser.getPublicKey("base64url"), auth: auth.toString("base64url") },
  });
  return { subscription, pushes, replies, ca: certificate.cert };
}

/** The claims of a VAPID token, if its signature is that of the key that it names. */
function signedBy(authorization: string): object {
  const [, token = "", key = ""] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const publicKey = createPublicKey({ key: jwk, format: "jwk" });
  const isValid = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isValid) throw new Error("the token is not signed by the key that it names");
  return { key, ...JSON.parse(Buffer.from(claims, "base64url").toString()) };
}

test("the key of an installation comes from its secret, and from nothing else", () => {
  const [one, again, other] = [vapidKeys("a".repeat(32)), vapidKeys("a".repeat(32)), vapidKeys("b".repeat(32))];
  expect(one).toEqual(again);
  expect(one.publicKey).not.toBe(other.publicKey);
  expect(Buffer.from(one.publicKey, "base64url")).toHaveLength(65);
  expect(Buffer.from(one.privateKey, "base64url")).toHaveLength(32);
});

describe.each(ABOVE_SQL)("web push on %s", (kind) => {
  const started = async (devices = ["phone"]) => {
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const service = await pushService();
    const server = await testServer(database.url, { notify: NOT_SET_UP, notifying: { ...FAST, ca: service.ca } });
    onTestFinished(server.stop);
    const local = caller(server);
    for (const device of devices) {
      const target = { kind: "web_push", subscription: service.subscription(device) };
      expect(await local.post("/api/me/channels", { target, label: device })).toMatchObject({ status: 201 });
    }
    const channels = async () => {
      const { body } = await local.get("/api/me/channels");
      return (body as unknown as { channels: ChannelView[]; vapid_public_key: string }).channels;
    };
    return { server, local, service, channels };
  };

  test("arrives encrypted and signed on every device, and is replaced when the question is settled", async () => {
    const { server, local, service } = await started(["phone", "laptop"]);
    const { body } = await local.post("/api/asks", { ...CHOICE, tool_use_id: "t" });
    const { ask } = body as unknown as { ask: { session_id: string; inbox_item_id: string; content_hash: string } };
    await waitFor(() => expect(service.pushes).toHaveLength(2));
    const { vapid_public_key } = (await local.get("/api/me/channels")).body as unknown as { vapid_public_key: string };
    for (const { payload, headers, vapid, size } of service.pushes) {
      expect(vapid).toMatchObject({ key: vapid_public_key, aud: expect.stringMatching(/^https:\/\/localhost:/) });
      expect(headers).toMatchObject({ "content-encoding": "aes128gcm", topic: ask.inbox_item_id });
      expect(size).toBeLessThan(4_096);
      expect(JSON.parse(payload)).toMatchObject({
        web_push: 8030,
        notification: {
          title: "external has a question",
          body: "Which way?",
          tag: ask.inbox_item_id,
          navigate: expect.stringContaining(`/?item=${ask.inbox_item_id}`),
          actions: [
            { action: "answer:a", title: "A" },
            { action: "answer:b", title: "B" },
          ],
          data: { event: "asked", content_hash: ask.content_hash, question_id: "t" },
        },
        app_badge: "1",
      });
    }
    await local.post("/api/task/answer", { session_id: ask.session_id, question_id: "t", answer: "a" });
    await waitFor(() => expect(service.pushes).toHaveLength(4));
    expect(JSON.parse(service.pushes[3]?.payload ?? "")).toMatchObject({
      notification: { tag: ask.inbox_item_id, silent: true, title: expect.stringMatching(/^Answered.*: A$/) },
      app_badge: "0",
    });
    expect(server.errors).toEqual([]);
  });

  test("has buttons to put the question away where none could answer it, and counts without what is put away", async () => {
    const { local, service } = await started();
    const first = (await local.post("/api/asks", CHOICE)).body as unknown as { ask: { inbox_item_id: string } };
    await waitFor(() => expect(service.pushes).toHaveLength(1));
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await local.post("/api/inbox/snooze", { inbox_item_ids: [first.ask.inbox_item_id], until });
    await local.post("/api/asks", { question_text: "Which port?", type: "text", tool_use_id: "n" });
    await waitFor(() => expect(service.pushes).toHaveLength(2));
    expect(JSON.parse(service.pushes[1]?.payload ?? "")).toMatchObject({
      notification: {
        actions: [
          { action: "snooze:hour", title: "In an hour" },
          { action: "snooze:tomorrow", title: "Tomorrow 9:00" },
        ],
      },
      app_badge: "1",
    });
  });

  test("stays small, whatever is asked", async () => {
    const { local, service } = await started();
    await local.post("/api/asks", {
      question_text: "🦜".repeat(450),
      type: "multiple_choice",
      options: [
        { id: "a", label: "漢".repeat(90) },
        { id: "b", label: "字".repeat(90) },
      ],
      agent: "名".repeat(50),
    });
    await waitFor(() => expect(service.pushes).toHaveLength(1));
    expect(Buffer.byteLength(service.pushes[0]?.payload ?? "")).toBeLessThanOrEqual(3_000);
    expect(JSON.parse(service.pushes[0]?.payload ?? "").notification.body).not.toBe("");
  });

  test.each([404, 410])("a device that is gone (%i) is removed", async (status) => {
    const { local, service, channels } = await started();
    service.replies.push({ status });
    await local.post("/api/asks", CHOICE);
    await waitFor(async () => expect(await channels()).toEqual([]));
  });

  test("a service that is busy is left alone for as long as it says", async () => {
    const { local, service, channels } = await started();
    service.replies.push({ status: 429, headers: { "retry-after": "1" } });
    await local.post("/api/asks", CHOICE);
    await waitFor(async () => expect(await channels()).toMatchObject([{ last_error: expect.stringContaining("429") }]));
    await waitFor(() => expect(service.pushes).toHaveLength(1));
    await waitFor(async () =>
      expect(await channels()).toMatchObject([{ last_error: null, verified_at: expect.any(String) }]),
    );
  });

  test("the same device again takes the place of its older channel", async () => {
    const { local, service, channels } = await started();
    await local.post("/api/me/channels", { target: { kind: "web_push", subscription: service.subscription("phone") } });
    expect(await channels()).toHaveLength(1);
  });

  test("an endpoint that only Parley can reach is refused", async () => {
    const { local, service } = await started([]);
    const target = {
      kind: "web_push",
      subscription: { ...service.subscription("x"), endpoint: "https://127.0.0.2/x" },
    };
    const { channel } = (await local.post("/api/me/channels", { target })).body as unknown as { channel: ChannelView };
    const tested = await local.post(`/api/channels/${channel.id}/test`);
    expect(tested.body).toMatchObject({ arrived: false, error: expect.stringContaining("private address") });
  });
});
