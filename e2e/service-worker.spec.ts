import type { BrowserContext, Page } from "@playwright/test";
import { LICENCE, live, openCards, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";
import { ANA, asAna, newAgent, OWN_SERVER, PASSWORD } from "./team.ts";

test.use({
  ...OWN_SERVER,
  permissions: ["notifications"],
  // A signed-out browser is what one of these tests is about.
  expectedErrors: [/status of 401/],
});

test.beforeEach(async ({ context, server }) => asAna(server, context.request));

/** Parley's service worker, as the browser's own push service would reach it. */
class Worker {
  readonly #deliver: (data: unknown) => Promise<unknown>;
  readonly #page: Page;

  private constructor(page: Page, deliver: (data: unknown) => Promise<unknown>) {
    this.#page = page;
    this.#deliver = deliver;
  }

  static async of(page: Page, context: BrowserContext): Promise<Worker> {
    const session = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        const found = registrations.find(({ isDeleted }) => !isDeleted);
        if (found) resolve(found.registrationId);
      });
    });
    await session.send("ServiceWorker.enable");
    await page.evaluate(async () => {
      await navigator.serviceWorker.register("/sw.js");
      await navigator.serviceWorker.ready;
    });
    const registrationId = await registered;
    const origin = new URL(page.url()).origin;
    return new Worker(page, (data) =>
      session.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data: JSON.stringify(data) }),
    );
  }

  async push(data: unknown): Promise<void> {
    await this.#deliver(data);
  }

  /** The notifications that are on the screen. */
  shown(): Promise<Array<{ title: string; body: string; tag: string; actions: string[] }>> {
    return this.#page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      return (await registration.getNotifications()).map(({ title, body, tag, ...rest }) => ({
        title,
        body,
        tag,
        actions: ((rest as { actions?: Array<{ title: string }> }).actions ?? []).map((action) => action.title),
      }));
    });
  }

  /** Presses a button of a notification, or the notification itself. */
  async press(context: BrowserContext, tag: string, action: string): Promise<void> {
    const [worker] = context.serviceWorkers();
    if (!worker) throw new Error("no service worker runs");
    await worker.evaluate(
      async ([tag, action]) => {
        const scope = self as unknown as ServiceWorkerGlobalScope;
        const [notification] = await scope.registration.getNotifications({ tag });
        if (!notification) throw new Error("no such notification");
        scope.dispatchEvent(new NotificationEvent("notificationclick", { notification, action }));
      },
      [tag, action] as const,
    );
  }
}

/** What the worker's scope has, as far as these tests use it. */
type ServiceWorkerGlobalScope = EventTarget & { registration: ServiceWorkerRegistration };
declare const NotificationEvent: new (type: string, init: { notification: Notification; action: string }) => Event;

const payloadOf = (asked: Awaited<ReturnType<Awaited<ReturnType<typeof newAgent>>["ask"]>>, url: string) => ({
  web_push: 8030,
  notification: {
    title: "notifies has a question",
    body: "Which licence?",
    lang: "en",
    navigate: `${url}/?item=${asked.inbox_item_id}`,
    tag: asked.inbox_item_id,
    actions: [
      { action: "answer:mit", title: "MIT" },
      { action: "answer:apache", title: "Apache-2.0" },
    ],
    data: {
      notification_id: `ntf_${asked.inbox_item_id}`,
      event: "asked",
      inbox_item_id: asked.inbox_item_id,
      session_id: asked.session_id,
      tool_use_id: asked.tool_use_id,
      question_id: asked.questions[0]?.question_id,
      content_hash: asked.content_hash,
      answers: Object.fromEntries((asked.questions[0]?.options ?? []).map(({ id }) => [id, id])),
    },
  },
  app_badge: "1",
});

test("a question is answered once from its notification, as the person who is signed in", async ({
  page,
  context,
  server,
}) => {
  const agent = await newAgent(page.request, "pushes");
  const asked = await agent.ask({ ...LICENCE, title: "Pushed" });
  const first = asked.questions[0]?.options[0];
  if (!first) throw new Error("there is no option");
  await visit(page, "/conversations");
  const worker = await Worker.of(page, context);
  await worker.push(payloadOf(asked, server.url));
  await expect.poll(async () => (await worker.shown()).map(({ title }) => title)).toEqual(["notifies has a question"]);
  await worker.press(context, asked.inbox_item_id, `answer:${first.id}`);
  await expect
    .poll(async () => (await agent.read(asked)).result?.decided_by)
    .toMatchObject({ name: "Ana", provenance: "sign_in" });
  // Its notification is replaced, and disappears on its own.
  await expect.poll(async () => (await worker.shown()).length).toBe(0);

  // Another device had the same notification: pressing there changes nothing.
  await worker.push(payloadOf(asked, server.url));
  await expect.poll(async () => (await worker.shown()).length).toBe(1);
  const other = asked.questions[0]?.options[1];
  await worker.press(context, asked.inbox_item_id, `answer:${other?.id}`);
  await expect
    .poll(async () => (await worker.shown()).map(({ title }) => title))
    .not.toContain("notifies has a question");
  expect((await agent.read(asked)).questions[0]?.answer?.option_ids).toEqual([first.id]);
});

test("a question is put away from its notification, for the person who is signed in", async ({
  page,
  context,
  server,
}) => {
  const agent = await newAgent(page.request, "pushed-later");
  const asked = await agent.ask({ ...LICENCE, title: "Pushed later" });
  await visit(page, "/conversations");
  const worker = await Worker.of(page, context);
  await worker.push(payloadOf(asked, server.url));
  await expect.poll(async () => (await worker.shown()).length).toBe(1);
  await worker.press(context, asked.inbox_item_id, "snooze:hour");
  const listed = async (query: string) => (await (await page.request.get(`/api/inbox?${query}`)).json()).items;
  await expect.poll(async () => (await listed("snoozed=true&agent=pushed-later")).length).toBe(1);
  expect(await listed("agent=pushed-later")).toEqual([]);
  expect((await agent.read(asked)).status).toBe("pending");
  await expect.poll(async () => (await worker.shown()).length).toBe(0);
});

test("a notification leads to its question, and a signed-out browser keeps the choice", async ({
  page,
  context,
  server,
}) => {
  const agent = await newAgent(page.request, "signed-out");
  const asked = await agent.ask({ ...LICENCE, title: "Signed out" });
  const second = asked.questions[0]?.options[1];
  if (!second) throw new Error("there is no option");
  await visit(page, "/conversations");
  await live(page);
  const worker = await Worker.of(page, context);
  await worker.push(payloadOf(asked, server.url));
  await expect.poll(async () => (await worker.shown()).length).toBe(1);
  await worker.press(context, asked.inbox_item_id, "");
  await expect(page).toHaveURL(new RegExp(`item=${asked.inbox_item_id}`));
  await expect(openCards(page)).toContainText("Which licence?");

  await worker.push(payloadOf(asked, server.url));
  await expect.poll(async () => (await worker.shown()).length).toBe(1);
  await context.clearCookies();
  await worker.press(context, asked.inbox_item_id, `answer:${second.id}`);
  await expect(page).toHaveURL(/choose=|sign-in/);
  expect((await agent.read(asked)).status).toBe("pending");
  // The page asks for a sign-in, on the spot or on its own page, and then has the choice ready.
  await page.getByLabel("Email or login").fill(ANA.login);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(openCards(page).getByRole("radio", { name: second.label })).toBeChecked();
  expect((await agent.read(asked)).status).toBe("pending");
  await page.getByRole("button", { name: "Submit" }).click();
  await expect.poll(async () => (await agent.read(asked)).status).toBe("answered");
});

test("a settled question replaces its notification and closes it; a broken push still shows something", async ({
  page,
  context,
  server,
}) => {
  const agent = await newAgent(page.request, "settles");
  const asked = await agent.ask({ ...LICENCE, title: "Settles" });
  await visit(page, "/conversations");
  const worker = await Worker.of(page, context);
  const payload = payloadOf(asked, server.url);
  await worker.push(payload);
  await expect.poll(async () => (await worker.shown()).length).toBe(1);
  const { actions: _, ...notification } = payload.notification;
  await worker.push({
    ...payload,
    notification: {
      ...notification,
      title: "Answered by Mei: MIT",
      silent: true,
      data: { ...notification.data, event: "settled" },
    },
  });
  await expect.poll(async () => (await worker.shown()).map(({ title }) => title)).toEqual(["Answered by Mei: MIT"]);
  await expect.poll(async () => (await worker.shown()).length).toBe(0);
  // Sent until it is shown: Chromium drops a push that arrives while the worker ends the one before it.
  await expect
    .poll(async () => {
      await worker.push({});
      return (await worker.shown()).map(({ title }) => title);
    })
    .toEqual(["Something is waiting in Parley"]);
});
