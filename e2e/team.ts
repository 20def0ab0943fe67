import type { APIRequestContext, Browser, BrowserContext, Page } from "@playwright/test";
import { openDatabase } from "../lib/db/database.ts";
import { execute } from "../lib/db/test-sql.ts";
import type { AskView } from "../lib/protocol/ask.ts";
import { root } from "../scripts/setup/root.mjs";
import { setupLink } from "../scripts/throwaway/setup-link.ts";
import { visit } from "./asking.ts";
import { expect, listen, slowDown } from "./fixtures.ts";
import { inPagesOf, sendPageSecret } from "./page-secret.ts";
import type { TestServer } from "./server.ts";

// A team with accounts, as its people make it.

/**
 * For `test.use`, in every spec that makes an account: specs with their own settings get their own server, and the
 * others run on one where nobody signs in.
 */
export const OWN_SERVER = { settings: { ALLOW_KEYLESS_AGENTS: "false" } };

export const PASSWORD = "blue kettle under a quiet moon";
export const ANA = { name: "Ana", login: "ana@example.com", password: PASSWORD };
export const MEI = { name: "Mei", login: "mei@example.com", password: PASSWORD };

/** Signs Ana in over REST; the request keeps her session. Hers is the first account, made by the first test. */
export async function asAna(server: TestServer, request: APIRequestContext): Promise<void> {
  const { mode } = await (await request.get("/api/me")).json();
  const { login, password } = ANA;
  if (mode === "team") return void (await post(request, "/api/auth/sign-in", { login, password }));
  const token = tokenIn(await setupLink(server.databaseUrl, server.url));
  await post(request, "/api/auth/setup", { token, ...ANA });
}

/** As if ten minutes had passed since anyone proved who they are. */
export async function waitLong(server: TestServer, request: APIRequestContext): Promise<void> {
  const db = await openDatabase({ url: server.databaseUrl, root });
  try {
    await execute(db, "update auth_session set confirmed_at = 0");
    await execute(db, "update team_state set version = version + 1");
  } finally {
    await db.close();
  }
  // The server looks for changes of other processes once a second.
  await expect.poll(async () => (await request.post("/api/me/passkeys/options")).status()).toBe(403);
}

/** Signs Mei in, in a browser of her own. Ana has invited her if she has no account yet. */
export async function asMei(admin: APIRequestContext, context: BrowserContext): Promise<void> {
  const { people } = await (await admin.get("/api/people")).json();
  const { login, password } = MEI;
  if (people.some((person: { login: string }) => person.login === login))
    return void (await post(context.request, "/api/auth/sign-in", { login, password }));
  await join(admin, context, MEI);
}

/** Invites someone and accepts the invitation for them, in their own browser. */
export async function join(
  admin: APIRequestContext,
  context: BrowserContext,
  { name, login, password }: typeof ANA,
  role = "member",
): Promise<void> {
  const { url } = await post(admin, "/api/invitations", { role, login });
  await post(context.request, "/api/auth/accept", { token: tokenIn(url), name, password });
}

/** Opens `path` in a separate browser. Its errors fail the test, as everywhere. */
export async function otherBrowser(
  browser: Browser,
  server: TestServer,
  expected: readonly RegExp[] = [],
): Promise<{ context: BrowserContext; close: () => Promise<void> }> {
  const context = await browser.newContext({ baseURL: server.url });
  slowDown(context);
  sendPageSecret(context.request, inPagesOf(context, new URL(server.url)));
  const complaints = listen(context, server.url);
  return {
    context,
    close: async () => {
      await context.close();
      expect(complaints.filter((complaint) => !expected.some((each) => each.test(complaint)))).toEqual([]);
    },
  };
}

/** A key of an agent, and the agent that asks with it. */
export async function newAgent(request: APIRequestContext, agent: string, space_id?: string) {
  const { secret, key } = await post(request, "/api/keys", { kind: "agent", name: agent, agent, space_id });
  const headers = { authorization: `Bearer ${secret}`, cookie: "" };
  return {
    key,
    secret,
    ask: async (body: Record<string, unknown>): Promise<AskView> =>
      (await post(request, "/api/asks", body, headers)).ask,
    read: async ({ session_id, tool_use_id }: AskView): Promise<AskView> => {
      const response = await request.get(`/api/asks/${tool_use_id}`, { params: { session_id }, headers });
      return (await response.json()).ask;
    },
  };
}

export function tokenIn(link: string): string {
  return new URL(link).hash.slice(1);
}

/** The path and the secret of a link, to be opened at the address that the test uses. */
export function pathOf(link: string): string {
  const { pathname, hash } = new URL(link);
  return pathname + hash;
}

export async function signIn(page: Page, { login, password }: typeof ANA, path = "/"): Promise<void> {
  await visit(page, path);
  await page.getByLabel("Email or login").fill(login);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

export async function post(
  request: APIRequestContext,
  path: string,
  data: Record<string, unknown>,
  headers: Record<string, string> = {},
) {
  const response = await request.post(path, { data, headers });
  expect(response.ok(), `${path}: ${await response.text()}`).toBe(true);
  return response.json();
}
