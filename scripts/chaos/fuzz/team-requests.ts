import { OPERATIONS, type OperationId } from "../../../lib/protocol/operations.ts";
import { TEAM_OPERATIONS } from "../../../lib/protocol/team-operations.ts";
import type { Random } from "../kit/random.ts";
import type { Reply, RestClient } from "../kit/rest-client.ts";
import { agentKey, firstAccount, joined, type Member, setupToken, signedIn, TEAM_PASSWORD } from "../kit/team.ts";
import { oddText } from "./values.ts";

/** A team whose operations are called: who calls them, and ids from earlier replies. */
export type TeamWorld = {
  admin: Member;
  /** Headers of members, viewers and keys. */
  others: Array<Record<string, string>>;
  people: string[];
  spaces: string[];
  keys: string[];
  invitations: string[];
  tokens: string[];
  codes: string[];
  items: string[];
};

/** Signing out and new passwords would end what the requests after them are made with; the first account exists. */
const HARMFUL: readonly string[] = ["signOut", "changePassword", "endAuthSessions"];
const HOLDING: readonly OperationId[] = ["claim", "release", "assign", "reportDecision"];
const TEAM_IDS = [
  ...(Object.keys(TEAM_OPERATIONS) as OperationId[]).filter((id) => !HARMFUL.includes(id)),
  ...HOLDING,
  ...HOLDING,
];

export async function createTeamWorld(client: RestClient, databaseUrl: string): Promise<TeamWorld> {
  const admin = await firstAccount(client, await setupToken(databaseUrl));
  const [mei, vera] = [await joined(client, admin, "mei"), await joined(client, admin, "vera", "viewer")];
  const key = await agentKey(client, admin, "fuzz");
  return {
    admin,
    others: [mei.headers, vera.headers, key.headers],
    people: [mei.id, vera.id],
    spaces: ["spc_everyone"],
    keys: [],
    invitations: [],
    tokens: [],
    codes: [],
    items: [],
  };
}

/** The admin signs in again: a request may have ended the session. */
export async function renew(client: RestClient, team: TeamWorld): Promise<void> {
  const body = { login: "ada@example.com", password: TEAM_PASSWORD };
  const reply = await client.call("POST", "/api/auth/sign-in", body);
  if (reply.status === 200) team.admin = signedIn(reply);
}

export function teamOperation(random: Random): OperationId {
  return random.pick(TEAM_IDS);
}

/** Mostly the admin, who gets furthest. */
export function credential(random: Random, { admin, others }: TeamWorld): Record<string, string> {
  return random.chance(0.75) ? admin.headers : random.pick([...others, {}]);
}

/** The id in a path of the team; undefined if it is another path. */
export function idIn(path: string, random: Random, team: TeamWorld): string | undefined {
  const [, , kind = ""] = path.split("/");
  const known = { people: team.people, spaces: team.spaces, keys: team.keys, invitations: team.invitations }[kind];
  return known && (known.length > 0 ? random.pick(known) : "none");
}

export function teamBody(id: OperationId, random: Random, team: TeamWorld): unknown {
  const said = (text: string) => (random.chance(0.15) ? oddText(random) : text);
  const some = (list: string[]) => (list.length > 0 && random.chance(0.8) ? random.pick(list) : `none_${random.id(4)}`);
  const items = () => Array.from({ length: random.between(1, 3) }, () => some(team.items));
  const token = () =>
    team.tokens.length > 0 && random.chance(0.5) ? random.pick(team.tokens) : `ott_${random.id(43)}`;
  const account = () => ({
    token: token(),
    name: said("Eve"),
    login: said("eve@example.com"),
    password: "long enough!",
  });
  const code = () => some(team.codes);
  const credentialOf = () => ({ id: random.id(20), rawId: random.id(20), type: "public-key", response: {} });
  const bodies: Partial<Record<OperationId, () => unknown>> = {
    updateMe: () => ({
      name: said("Ada"),
      locale: random.pick(["en", "zh", "ja", null]),
      time_zone: random.pick(["Europe/Berlin", "Nowhere/Land", null]),
      out_of_office_until: random.pick([null, "2030-01-01T00:00:00Z", "0001-01-01T00:00:00Z"]),
      delegate_id: random.pick([null, some(team.people)]),
    }),
    readLink: () => ({ token: token() }),
    firstPasskeyOptions: () => ({ token: token(), name: said("Eve"), login: said("eve") }),
    setUp: () =>
      random.chance(0.5) ? account() : { ...account(), passkey: { name: "p", credential: credentialOf() } },
    signIn: () => ({ login: said(`nobody${random.int(1_000)}`), password: said("a wrong password") }),
    startOidc: () => ({}),
    finishOidc: () => ({ url: "https://parley.example.com/sign-in/callback?code=x&state=y" }),
    passkeySignIn: () => ({ credential: credentialOf() }),
    acceptInvitation: account,
    resetPassword: () => ({ token: token(), password: "long enough!" }),
    startDevice: () => ({ purpose: random.pick(["agent", "terminal"]), machine: said("laptop"), agent: said("fuzz") }),
    pollDevice: () => ({ device_code: token() }),
    readDevice: () => ({ user_code: code() }),
    decideDevice: () => ({ user_code: code(), allow: random.chance(0.5), space_id: some(team.spaces) }),
    addPasskey: () => ({ name: said("phone"), credential: credentialOf() }),
    removePasskey: () => ({ id: random.id(20) }),
    updatePerson: () => ({ name: said("Mei"), role: random.pick(["member", "viewer", "admin"]) }),
    createInvitation: () => ({
      ...(random.chance(0.5) && { login: said(`p${random.int(1_000)}@example.com`) }),
      role: random.pick(["member", "viewer"]),
      space_ids: [some(team.spaces)],
    }),
    createSpace: () => ({
      name: said(`Space ${random.id(4)}`),
      open: random.chance(0.5),
      members: [some(team.people)],
    }),
    updateSpace: () => ({
      name: said(`Space ${random.id(4)}`),
      requires_second_person: random.chance(0.2),
      members: [some(team.people)],
      ...(random.chance(0.1) && { archived: true }),
    }),
    updateTeam: () => ({ built_in_agents: random.chance(0.5) }),
    createKey: () => ({
      kind: random.pick(["agent", "personal"]),
      name: said("key"),
      agent: said("fuzz"),
      ...(random.chance(0.3) && { space_id: some(team.spaces) }),
      ...(random.chance(0.3) && { expires_in_days: random.pick([1, 365, null]) }),
    }),
    claim: () => ({ inbox_item_ids: items(), take_over: random.chance(0.5) }),
    release: () => ({ inbox_item_ids: items() }),
    assign: () => ({ inbox_item_ids: items(), person_id: random.pick([null, some(team.people)]) }),
  };
  return bodies[id]?.();
}

/** Collects ids and secrets from replies. */
export function learnTeam(team: TeamWorld, { status, body }: Reply): void {
  if (status >= 300) return;
  const asked = OPERATIONS.ask.response.safeParse(body).data?.ask;
  if (asked) team.items.push(asked.inbox_item_id);
  const { space, key, invitation, url, device_code, user_code } = (body ?? {}) as Record<string, unknown>;
  const keep = (list: string[], value: unknown) => {
    if (typeof value === "string") list.push(value);
    if (list.length > 40) list.shift();
  };
  keep(team.spaces, (space as { id?: string } | undefined)?.id);
  keep(team.keys, (key as { id?: string } | undefined)?.id);
  keep(team.invitations, (invitation as { id?: string } | undefined)?.id);
  if (typeof url === "string" && url.includes("#ott_")) keep(team.tokens, url.slice(url.indexOf("#") + 1));
  keep(team.tokens, device_code);
  keep(team.codes, user_code);
}
