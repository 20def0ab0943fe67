import { atTheMachine } from "../../../lib/auth/at-the-machine.ts";
import { openDatabase } from "../../../lib/db/database.ts";
import { OPERATIONS } from "../../../lib/protocol/operations.ts";
import { PAGE_SECRET_HEADER } from "../../../lib/protocol/page-secret.ts";
import type { Role } from "../../../lib/protocol/people.ts";
import { root } from "../../setup/root.mjs";
import { PATIENT_S } from "../../throwaway/database.ts";
import type { Reply, RestClient } from "./rest-client.ts";

/** Someone who is signed in. */
export type Member = { id: string; name: string; headers: Session };
/** What a browser sends once someone has signed in. */
export type Session = { cookie: string; [PAGE_SECRET_HEADER]: string };
/** A program with a key. */
export type Keyed = { key_id: string; secret: string; headers: { authorization: string } };

export const TEAM_PASSWORD = "correct horse battery";

/** The link that creates the first account, as `parley team` prints it. */
export async function setupToken(databaseUrl: string): Promise<string> {
  const db = await openDatabase({ url: databaseUrl, root, timeoutS: PATIENT_S });
  try {
    const machine = await atTheMachine({ db, publicUrl: "http://localhost", isReachable: false, name: undefined });
    return tokenIn(await machine.setupLink());
  } finally {
    await db.close();
  }
}

/** Creates the first account: from now on everyone must sign in. */
export async function firstAccount(client: RestClient, token: string, name = "ada"): Promise<Member> {
  const body = { token, name, login: `${name}@example.com`, password: TEAM_PASSWORD };
  return signedIn(await client.call("POST", "/api/auth/setup", body));
}

/** Invites someone, who joins. */
export async function joined(client: RestClient, admin: Member, name: string, role: Role = "member"): Promise<Member> {
  const login = `${name}@example.com`;
  const invited = await client.call("POST", "/api/invitations", { login, role }, admin.headers);
  const { url } = OPERATIONS.createInvitation.response.parse(invited.body);
  const body = { token: tokenIn(url), name, password: TEAM_PASSWORD };
  return signedIn(await client.call("POST", "/api/auth/accept", body));
}

export async function agentKey(client: RestClient, owner: Member, agent: string): Promise<Keyed> {
  const reply = await client.call("POST", "/api/keys", { kind: "agent", name: agent, agent }, owner.headers);
  const { secret, key } = OPERATIONS.createKey.response.parse(reply.body);
  return { key_id: key.id, secret, headers: { authorization: `Bearer ${secret}` } };
}

export function signedIn({ status, text, body, headers }: Reply): Member {
  if (status !== 200) throw new Error(`signing in was answered with ${status} ${text}`);
  const { person, page_secret } = OPERATIONS.signIn.response.parse(body);
  const session = { cookie: cookiesIn(headers["set-cookie"]), [PAGE_SECRET_HEADER]: page_secret };
  return { id: person.id, name: person.name, headers: session };
}

/** The cookies that a reply sets, as a browser would send them back. */
export function cookiesIn(lines: string[] = []): string {
  const pairs = lines.map((line) => line.split(";")[0] ?? "");
  return pairs.filter((pair) => !pair.endsWith("=")).join("; ");
}

/** What follows `#` in a link. */
export function tokenIn(link: string): string {
  return new URL(link).hash.slice(1);
}
