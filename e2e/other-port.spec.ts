import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { PAGE_ACCESS } from "../lib/pages/page-rights.ts";
import {
  PAGE_SECRET_CACHE,
  PAGE_SECRET_ENTRY,
  PAGE_SECRET_HEADER,
  PAGE_SECRET_PLACE,
} from "../lib/protocol/page-secret.ts";
import { LICENCE, reload, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";
import { ANA, asAna, newAgent, OWN_SERVER, post, signIn } from "./team.ts";

// Browsers send a cookie to every port of a host. So the cookie of a session is worth nothing without the secret that only
// Parley's own pages have.

test.use(OWN_SERVER);
test.beforeEach(async ({ context, server }) => asAna(server, context.request));

const storedSecret = (page: Page) => page.evaluate((place) => localStorage.getItem(place), PAGE_SECRET_PLACE);
const onSignIn = (page: Page) => expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();

test.describe("a program on another port of the same host", () => {
  test.use({ expectedErrors: [/request to another origin/] });
  test("gets the cookie of whoever visits it, and nothing with it", async ({ page, server }) => {
    const { space } = await post(page.request, "/api/spaces", { name: "Payroll of Q7" });
    const agent = await newAgent(page.request, "secretive", space.id);
    const asked = await agent.ask({ ...LICENCE, question_text: "Sell the vineyard?", title: "The vineyard deal" });
    await visit(page, `/?item=${asked.inbox_item_id}`);
    await expect(page.getByText("Sell the vineyard?").first()).toBeVisible();

    const received: IncomingHttpHeaders[] = [];
    const other = createServer((visited, response) => {
      received.push(visited.headers);
      response.end("<!doctype html><link rel=icon href=data:,><title>Preview</title>");
    });
    other.listen(0, "localhost");
    await once(other, "listening");
    await page.goto(`http://${new URL(server.url).hostname}:${(other.address() as AddressInfo).port}/`);
    await expect(page).toHaveTitle("Preview");
    other.close();
    const [stolen = {}] = received;
    const token = /\bparley=([\w-]{43})/.exec(stolen.cookie ?? "")?.[1] ?? "";
    expect(token).not.toBe("");

    const { host, origin } = new URL(server.url);
    const own = { ...stolen, host, origin, "sec-fetch-site": "same-origin" };
    const tried = [own, { ...own, [PAGE_SECRET_HEADER]: token }, { host, authorization: `Bearer ${token}` }];
    const got: string[] = [];
    const replay = async (headers: IncomingHttpHeaders, path: string, body?: object) => {
      const sent = send(server.url + path, {
        method: body ? "POST" : "GET",
        headers: { ...headers, "accept-encoding": "identity", ...(body && { "content-type": "application/json" }) },
      });
      sent.end(body && JSON.stringify(body));
      const [reply] = await once(sent, "response");
      let text = "";
      for await (const chunk of reply) text += chunk;
      got.push(`${path}: ${text}`);
      return reply.statusCode;
    };
    const { session_id } = asked;
    for (const headers of tried) {
      const answer = { session_id, question_id: asked.questions[0]?.question_id, answer: "mit" };
      expect(await replay(headers, "/api/task/answer", answer)).toBe(401);
      expect(await replay(headers, "/api/keys", { kind: "personal", name: "x" })).toBe(401);
      expect(await replay(headers, "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" })).toBe(401);
      for (const path of ["/api/inbox", `/api/sessions/${session_id}/events`, `/api/sessions/${session_id}/export`])
        expect([path, await replay(headers, path)]).toEqual([path, 401]);
      await replay(headers, "/api/me");
      await replay(headers, "/api/auth/sign-out", {});
      for (const page of Object.keys(PAGE_ACCESS)) {
        await replay(headers, page.replace("{id}", session_id));
        await replay({ ...headers, rsc: "1" }, page.replace("{id}", session_id));
      }
    }
    const secrets = /vineyard|Payroll of Q7|secretive|\bAna\b|ana@example\.com/;
    expect(got.filter((text) => secrets.test(text)).map((text) => text.slice(0, 300))).toEqual([]);

    // The person is still signed in, and the question is as it was.
    await visit(page, `/?item=${asked.inbox_item_id}`);
    await expect(page.getByRole("button", { name: "Account of Ana" })).toBeVisible();
    expect((await agent.read(asked)).status).toBe("pending");
  });
});

test.describe("Parley's own pages", () => {
  test.use({ expectedErrors: [/status of 404/] });
  test("open in every way, or lead to the sign-in page and back", async ({ page, context }) => {
    const agent = await newAgent(page.request, "reopened");
    const asked = await agent.ask({ ...LICENCE, title: "Opened directly" });
    const path = `/conversations/${asked.session_id}`;
    await visit(page, path);
    await expect(page).toHaveTitle(/Opened directly · Parley$/);
    await reload(page);
    await expect(page.getByRole("heading", { name: "Opened directly" })).toBeVisible();
    // A link of Next, then a page without any, and back.
    await page.getByRole("link", { name: "Conversations" }).first().click();
    await expect(page).toHaveURL(/\/conversations$/);
    await page.goto("/api/docs");
    await page.goBack();
    await expect(page.getByRole("link", { name: /Opened directly/ }).first()).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("heading", { name: "Opened directly" })).toBeVisible();
    for (const missing of ["/conversations/ses_unknown", "/no/such/page?x=1"]) {
      await visit(page, missing);
      await expect(page.getByText("Page not found")).toBeVisible();
    }

    // Files are fetched with the secret. The service worker has it too.
    await visit(page, path);
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export as JSONL" }).click();
    expect((await download).suggestedFilename()).toMatch(/\.jsonl$/);
    await page.goto("/api/docs");
    const tried = page.waitForRequest((request) => request.url().endsWith("/api/openapi.json"));
    await page.reload();
    const secret = await storedSecret(page);
    expect((await tried).headers()[PAGE_SECRET_HEADER]).toBe(secret);

    // With a secret that does not fit, and without any: the session is over, and nothing goes in circles.
    const item = `/?item=${asked.inbox_item_id}`;
    for (const wrong of ["x".repeat(43), undefined]) {
      await page.evaluate(
        ([place, value]) => (value === undefined ? localStorage.removeItem(place) : localStorage.setItem(place, value)),
        [PAGE_SECRET_PLACE, wrong] as const,
      );
      await page.goto(item);
      await onSignIn(page);
      await expect.poll(() => storedSecret(page)).toBeNull();
      expect(new URL(page.url()).searchParams.get("next")).toBe(item);
      await reload(page);
      await signIn(page, ANA, page.url());
      await expect(page).toHaveURL(new RegExp(`${asked.inbox_item_id}$`));
      await expect(page.getByRole("button", { name: "Account of Ana" })).toBeVisible();
    }
    const kept = await page.evaluate(async ([cacheName, entry]) => (await caches.match(entry, { cacheName }))?.text(), [
      PAGE_SECRET_CACHE,
      PAGE_SECRET_ENTRY,
    ] as const);
    expect(kept).toBe(await storedSecret(page));

    // Signing out removes it from both, and the server leads to the sign-in page.
    await page.getByRole("button", { name: "Account of Ana" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await onSignIn(page);
    await expect.poll(() => storedSecret(page)).toBeNull();
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);
    expect((await context.request.get("/people", { maxRedirects: 0 })).status()).toBe(303);
  });
});
