import type { KeyView } from "../protocol/api-key.ts";
import type { AskView } from "../protocol/ask.ts";
import { PAGE_SECRET_HEADER } from "../protocol/page-secret.ts";
import type { PersonView, Role } from "../protocol/people.ts";
import type { TestServer } from "./test-server.ts";

/** A caller of a test server: a person in a browser, a program with a key, or nobody. */
export type TestCaller = {
  headers: Record<string, string>;
  post: (path: string, body?: unknown) => Promise<TestReply>;
  get: (path: string) => Promise<TestReply>;
};
export type TestReply = {
  status: number;
  body: Record<string, never> & { error?: { code: string; message: string; details?: unknown } };
  headers: Headers;
};

export const PASSWORD = "correct horse battery";

export function caller({ url }: Pick<TestServer, "url">, headers: Record<string, string> = {}): TestCaller {
  const send = async (method: string, path: string, body?: unknown): Promise<TestReply> => {
    const reply = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: "manual",
    });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, body: text.startsWith("{") ? JSON.parse(text) : {} };
  };
  return { headers, post: (path, body) => send("POST", path, body), get: (path) => send("GET", path) };
}

/** The cookie that a reply sets, as a browser would send it back. */
export function cookieIn({ headers }: Pick<TestReply, "headers">): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(";")[0] ?? "")
    .filter((pair) => !pair.endsWith("="))
    .join("; ");
}

/** The question in a reply. Fails with the reply if there is none. */
export function askIn({ status, body }: Pick<TestReply, "status" | "body">): AskView {
  if (!body.ask) throw new Error(`no question came back (${status}): ${JSON.stringify(body)}`);
  return body.ask;
}

/** What a browser sends after a reply: the cookies that it sets, and the page secret if it signs someone in. */
export function browserHeaders(reply: TestReply): Record<string, string> & { cookie: string } {
  const { page_secret } = reply.body as { page_secret?: string };
  return { cookie: cookieIn(reply), ...(page_secret && { [PAGE_SECRET_HEADER]: page_secret }) };
}

export type TestPerson = TestCaller & { person: PersonView };

/** What follows `#` in a link. */
export const tokenIn = (link: string): string => new URL(link).hash.slice(1);

/** The first account, by the link that the console would show. */
export async function setUp(server: TestServer, name = "Ada", login = "ada@example.com"): Promise<TestPerson> {
  const token = tokenIn(await server.auth.setupLink());
  const reply = await caller(server).post("/api/auth/setup", { token, name, login, password: PASSWORD });
  if (reply.status !== 200) throw new Error(`the first account was refused: ${JSON.stringify(reply.body)}`);
  return {
    ...caller(server, browserHeaders(reply)),
    person: (reply.body as unknown as { person: PersonView }).person,
  };
}

/** Someone who was invited and has joined. */
export async function join(
  server: TestServer,
  admin: TestCaller,
  name: string,
  role: Role = "member",
  space_ids: string[] = [],
): Promise<TestPerson> {
  const login = `${name.toLowerCase()}@example.com`;
  const invited = await admin.post("/api/invitations", { login, role, space_ids });
  const { url } = invited.body as unknown as { url: string };
  const reply = await caller(server).post("/api/auth/accept", { token: tokenIn(url), name, password: PASSWORD });
  if (reply.status !== 200) throw new Error(`the invitation was refused: ${JSON.stringify(reply.body)}`);
  return {
    ...caller(server, browserHeaders(reply)),
    person: (reply.body as unknown as { person: PersonView }).person,
  };
}

export type TestKey = TestCaller & { secret: string; key: KeyView };

export async function keyOf(server: TestServer, owner: TestCaller, given: object): Promise<TestKey> {
  const reply = await owner.post("/api/keys", given);
  const { secret, key } = reply.body as unknown as { secret: string; key: KeyView };
  if (!secret) throw new Error(`the key was refused: ${JSON.stringify(reply.body)}`);
  return { ...caller(server, { authorization: `Bearer ${secret}` }), secret, key };
}

export const agentKey = (
  server: TestServer,
  owner: TestCaller,
  agent = "builder",
  space_id?: string,
  more: { can_report?: true } = {},
) => keyOf(server, owner, { kind: "agent", name: `${agent} key`, agent, ...(space_id && { space_id }), ...more });

export const personalKey = (server: TestServer, owner: TestCaller) =>
  keyOf(server, owner, { kind: "personal", name: "scripts" });

export async function newSpace(admin: TestCaller, name: string, more: object = {}): Promise<string> {
  const reply = await admin.post("/api/spaces", { name, ...more });
  const { space } = reply.body as unknown as { space: { id: string } };
  if (!space) throw new Error(`the space was refused: ${JSON.stringify(reply.body)}`);
  return space.id;
}

/** An event stream, read until it ends. */
export async function eventsOf({ url }: TestServer, session_id: string, headers: Record<string, string>) {
  const reply = await fetch(`${url}/api/sessions/${session_id}/events`, { headers });
  const decoder = new TextDecoder();
  let text = "";
  const ended = (async () => {
    const reader = reply.body?.getReader();
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read())
      text += decoder.decode(read.value, { stream: true });
  })().catch(() => {});
  return { text: () => text, ended };
}
