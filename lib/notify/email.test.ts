import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ABOVE_SQL, testDatabase } from "../db/test-databases.ts";
import { testServer } from "../http/test-server.ts";
import { agentKey, caller, join, setUp, type TestCaller } from "../http/test-team.ts";
import { CHOICE } from "../hub/test-hub.ts";
import type { ChannelView } from "../protocol/notification.ts";
import { FAST, NOT_SET_UP } from "./test-receiver.ts";

// Against a real SMTP server.

const waitFor = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 120_000, interval: 50 });

type Delivered = { mail: Email; to: string[]; raw: string };

async function mailServer() {
  const delivered: Delivered[] = [];
  const refusals: Array<number | undefined> = [];
  const attempts: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on("data", (part) => parts.push(part));
      stream.on("end", async () => {
        const raw = Buffer.concat(parts).toString("utf8");
        attempts.push(/^Message-ID: (\S+)/im.exec(raw)?.[1] ?? "");
        const refusal = refusals.shift();
        if (refusal !== undefined) return done(Object.assign(new Error("not now"), { responseCode: refusal }));
        delivered.push({
          mail: await new PostalMime().parse(raw),
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw,
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, delivered, refusals, attempts };
}

describe.each(ABOVE_SQL)("email on %s", (kind) => {
  const started = async () => {
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const mail = await mailServer();
    const email = { url: mail.url, from: { name: "Parley", address: "parley@example.com" }, timeoutMs: 60_000 };
    const server = await testServer(database.url, { notify: { ...NOT_SET_UP, email }, notifying: FAST });
    onTestFinished(server.stop);
    const local = caller(server);
    const address = "ada@example.com";
    const id = await add(local, address);
    await confirm(local, mail, id);
    mail.delivered.length = 0;
    mail.attempts.length = 0;
    return { server, mail, local };
  };
  const add = async (who: TestCaller, address: string): Promise<string> => {
    const { status, body } = await who.post("/api/me/channels", { target: { kind: "email", address } });
    expect(status).toBe(201);
    return (body as unknown as { channel: ChannelView }).channel.id;
  };
  const codeIn = (delivered: Delivered | undefined) =>
    /\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/.exec(delivered?.mail.text ?? "")?.[0];
  const confirm = async (who: TestCaller, mail: Awaited<ReturnType<typeof mailServer>>, id: string) => {
    // A question may arrive after the code.
    const code = codeIn(mail.delivered.findLast((one) => codeIn(one) !== undefined));
    expect(await who.post(`/api/channels/${id}/confirm`, { code })).toMatchObject({ status: 200 });
  };

  test("a new address gets only a code until someone enters it, and few of those", async () => {
    const { server, mail } = await started();
    const admin = await setUp(server);
    const mei = await join(server, admin, "Mei");
    const channelsOf = async (who: TestCaller) =>
      ((await who.get("/api/me/channels")).body as unknown as { channels: ChannelView[] }).channels;
    const id = await add(mei, "Stranger@example.org");
    expect(mail.delivered.map(({ to, mail: { text } }) => [to, text?.includes("Mei")])).toEqual([
      [["Stranger@example.org"], true],
    ]);
    expect(await channelsOf(mei)).toMatchObject([{ id, confirmed: false }]);
    for (const [who, code, status] of [
      [mei, "WXYZ-2345", 410],
      [admin, codeIn(mail.delivered[0]), 404],
    ] as const)
      expect([code, (await who.post(`/api/channels/${id}/confirm`, { code })).status]).toEqual([code, status]);
    // The address of her own login, which the admin named in the invitation, needs no code.
    const own = await add(mei, "Mei@example.com");
    expect(await channelsOf(mei)).toMatchObject([{ id }, { id: own, confirmed: true }]);
    expect(await (await agentKey(server, admin)).post("/api/asks", CHOICE)).toMatchObject({ status: 201 });
    await waitFor(() => expect(mail.delivered.flatMap(({ to }) => to)).toContain("Mei@example.com"));
    expect(mail.delivered.filter(({ to }) => to[0] === "Stranger@example.org")).toHaveLength(1);
    // The same code again, three times an hour for one address and ten times for one person.
    const test = (channel: string) => mei.post(`/api/channels/${channel}/test`);
    expect([(await test(id)).status, (await test(id)).status, (await test(id)).status]).toEqual([200, 200, 429]);
    await confirm(mei, mail, id);
    expect(await channelsOf(mei)).toMatchObject([{ id, confirmed: true }, { id: own }]);
    for (let n = 0; n < 6; n++) await add(mei, `stranger-${n}@example.org`);
    const target = { kind: "email", address: "one.more@example.org" };
    expect(await mei.post("/api/me/channels", { target })).toMatchObject({ status: 429 });
    expect(await channelsOf(mei)).toHaveLength(8);
  });

  test("has the question, its options and one link, and threads by conversation", async () => {
    const { server, mail, local } = await started();
    const { body } = await local.post("/api/asks", { ...CHOICE, agent: "builder" });
    const { ask } = body as unknown as { ask: { session_id: string } };
    await waitFor(() => expect(mail.delivered).toHaveLength(1));
    const { mail: got, to, raw } = mail.delivered[0] as Delivered;
    expect(to).toEqual(["ada@example.com"]);
    expect(got.subject).toBe("builder has a question: Which way?");
    expect(got.from).toMatchObject({ name: "Parley", address: "parley@example.com" });
    expect(got.messageId).toMatch(/^<ntf_\w+@example\.com>$/);
    expect(got.references).toBe(`<${ask.session_id}@example.com>`);
    expect(raw).toMatch(/^Auto-Submitted: auto-generated/m);
    expect(got.text).toContain("- A\n- B");
    const links = `${got.text}${got.html}`.match(/https?:\/\/[^\s"<]+/g) ?? [];
    expect(new Set(links.map((link) => link.replaceAll("&amp;", "&"))).size).toBe(1);

    // Nothing that scans a link answers.
    const page = new URL(links[0] ?? "");
    for (const method of ["GET", "HEAD"])
      await fetch(`${server.url}${page.pathname}${page.search}`, { method, redirect: "manual" });
    expect((await local.get("/api/inbox")).body).toMatchObject({ counts: { open: 1 } });
    expect(server.errors).toEqual([]);
  });

  test("is sent again after 4xx with the same id, and given up after 5xx", async () => {
    const { mail, local } = await started();
    mail.refusals.push(451, 421);
    await local.post("/api/asks", CHOICE);
    await waitFor(() => expect(mail.delivered).toHaveLength(1));
    expect(mail.attempts).toHaveLength(3);
    expect(new Set(mail.attempts).size).toBe(1);

    mail.refusals.push(550);
    await local.post("/api/asks", { ...CHOICE, question_text: "Another?" });
    await waitFor(async () =>
      expect((await local.get("/api/notifications?state=failed")).body).toMatchObject({
        notifications: [{ attempts: 1, error: "The mail server refused the message (550)." }],
      }),
    );
  });

  test("cannot be made to reach others, or to carry other headers", async () => {
    const { mail, local } = await started();
    for (const address of [
      "x@y.test\r\nBcc: evil@z.test",
      "x@y.test, evil@z.test",
      "Evil <evil@z.test>",
      '"a b"@y.test',
      "a@b@c.test",
    ])
      expect([address, (await local.post("/api/me/channels", { target: { kind: "email", address } })).status]).toEqual([
        address,
        400,
      ]);
    await local.post("/api/asks", {
      ...CHOICE,
      agent: "evil\r\nBcc: evil@z.test",
      question_text: "Now?\r\nBcc: evil@z.test\r\n\r\n<script>alert(1)</script>",
    });
    await waitFor(() => expect(mail.delivered).toHaveLength(1));
    const { mail: got, to } = mail.delivered[0] as Delivered;
    expect(to).toEqual(["ada@example.com"]);
    expect(got.bcc ?? []).toEqual([]);
    expect(got.headers.map(({ key }) => key)).not.toContain("bcc");
    expect(got.html).not.toContain("<script>");
    expect(got.html).toContain("&lt;script&gt;");
  });

  test("says why a test did not arrive", async () => {
    const { mail, local } = await started();
    const { channels } = (await local.get("/api/me/channels")).body as unknown as { channels: ChannelView[] };
    mail.refusals.push(550);
    const tried = await local.post(`/api/channels/${channels[0]?.id}/test`);
    expect(tried.body).toMatchObject({ arrived: false, error: "The mail server refused the message (550)." });
    expect((await local.post(`/api/channels/${channels[0]?.id}/test`)).body).toMatchObject({ arrived: true });
  });
});
