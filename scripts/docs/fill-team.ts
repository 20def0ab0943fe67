import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Client, createClient } from "../../lib/client.ts";
import { PAGE_SECRET_HEADER } from "../../lib/protocol/page-secret.ts";
import { setupLink } from "../throwaway/setup-link.ts";
import { DEPLOY, OTHERS, STORE } from "./pictured-questions.ts";

const PASSWORD = "blue kettle under a quiet moon";
const OTHER_PEOPLE = [
  { name: "Kenji Watanabe", login: "kenji@example.com", role: "member" },
  { name: "Léa Fournier", login: "lea@example.com", role: "viewer" },
  { name: "Mei Tanaka", login: "mei@example.com", role: "member" },
] as const;

/** What a browser has once someone has signed in. */
export type Session = { cookie: string; page_secret: string };
type Person = { client: Client; session: Session };

/** A team of four with spaces and keys. One question is claimed, another is assigned. Returns what signs the admin in. */
export async function fillTeam(server: { url: string; databaseUrl: string }) {
  const { url, databaseUrl } = server;
  const visitor = createClient({ url });
  const ana = await signedIn(
    url,
    await visitor.fetch("setUp", {
      body: {
        token: tokenIn(await setupLink(databaseUrl, url)),
        name: "Ana Ruiz",
        login: "ana@example.com",
        password: PASSWORD,
      },
    }),
  );
  const others: Record<string, Person> = {};
  for (const { name, login, role } of OTHER_PEOPLE) {
    const { url: link } = await ana.client.call("createInvitation", { body: { login, role } });
    const reply = await visitor.fetch("acceptInvitation", { body: { token: tokenIn(link), name, password: PASSWORD } });
    others[name] = await signedIn(url, reply);
  }
  const invitation = await ana.client.call("createInvitation", { body: { login: "sofia@example.com" } });

  const { people } = await ana.client.call("listPeople", {});
  const idOf = (first: string) => people.find(({ name }) => name.startsWith(first))?.id ?? "";
  const members = ["Ana", "Kenji", "Mei"].map(idOf);
  const { space } = await ana.client.call("createSpace", {
    body: { name: "Payments", members, requires_second_person: true },
  });
  await ana.client.call("createSpace", { body: { name: "Design", members: ["Ana", "Léa"].map(idOf) } });

  const items: Record<string, string> = {};
  for (const body of [{ agent: "claude-code", title: "Ledger", ...STORE }, DEPLOY, ...OTHERS]) {
    const { agent, title } = body;
    const { secret } = await ana.client.call("createKey", {
      body: { kind: "agent", name: "Ana’s laptop", agent, ...(agent === "codex" && { space_id: space.id }) },
    });
    const asking = createClient({ url, headers: () => ({ authorization: `Bearer ${secret}` }) });
    items[title] = (await asking.call("ask", { body })).ask.inbox_item_id;
  }
  await ana.client.call("createKey", { body: { kind: "personal", name: "Shell scripts", expires_in_days: 30 } });
  await others["Mei Tanaka"]?.client.call("claim", { body: { inbox_item_ids: [items.Ledger ?? ""] } });
  await ana.client.call("assign", {
    body: { inbox_item_ids: [items["Flaky test hunt"] ?? ""], person_id: idOf("Kenji") },
  });
  const target = { kind: "ntfy", url: await ntfy() } as const;
  const { channel } = await ana.client.call("addChannel", { body: { target, label: "Ana’s phone" } });
  await ana.client.call("testChannel", { params: { id: channel.id } });
  return { session: ana.session, join: invitation.url, claimed: items.Ledger };
}

/** A topic that takes every message. It ends with the process. */
async function ntfy(): Promise<string> {
  const service = createServer((_, response) => response.end("{}")).listen(0, "127.0.0.1");
  await once(service, "listening");
  service.unref();
  return `http://127.0.0.1:${(service.address() as AddressInfo).port}/ana`;
}

/** Someone who has just signed in. */
async function signedIn(url: string, reply: Response): Promise<Person> {
  const [cookie = ""] = reply.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  const { page_secret } = (await reply.json()) as { page_secret: string };
  const headers = { cookie, [PAGE_SECRET_HEADER]: page_secret };
  return { client: createClient({ url, headers: () => headers }), session: { cookie, page_secret } };
}

function tokenIn(link: string): string {
  return new URL(link).hash.slice(1);
}
