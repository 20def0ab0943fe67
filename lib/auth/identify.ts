import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { FoundKey, FoundSession } from "../db/hot/identity.ts";
import type { PersonRow } from "../db/tables.ts";
import { isHeldBack, strongSignInRequired } from "../domain/rights.ts";
import { keyWorksIn, LOCAL, type Team } from "../domain/team.ts";
import type { Actor, Provenance, Right, Surface } from "../protocol/actor.ts";
import { beginning } from "../protocol/characters.ts";
import { ParleyError } from "../protocol/errors.ts";
import { NO_NAME } from "../protocol/no-name.ts";
import { PAGE_SECRET_HEADER } from "../protocol/page-secret.ts";
import type { Role } from "../protocol/people.ts";
import { EVERYONE } from "../protocol/space.ts";
import type { Credential, Credentials } from "./credentials.ts";
import type { Directory } from "./directory.ts";
import type { PageSecrets } from "./page-secret.ts";
import { digestOf } from "./secrets.ts";
import type { Seen } from "./seen.ts";
import { sessionTokenIn } from "./session-cookie.ts";
import { holdsBack } from "./strong-sign-in.ts";

// The only place that creates actors. Each door calls the one function meant for it. While nobody has an account, anyone who
// can reach Parley may do everything a person can, under any name. As soon as someone has one, all callers must prove who
// they are, and no address grants any rights.

/** Whether the caller is a browser that opened a page here. */
type IsBrowser = (headers: IncomingHttpHeaders) => boolean;

export type IdentifyOptions = {
  isBrowser: IsBrowser;
  /** Undefined: nobody can have an account, as in tests of other parts. */
  accounts?: {
    directory: Directory;
    credentials: Credentials;
    pageSecrets: PageSecrets;
    seen: Seen;
    clock: () => number;
    /** Whether programs on this machine may ask without a key. */
    allowKeyless: boolean;
    /** A proxy that signs people in says who they are in this header, and proves itself by the secret. */
    proxy: { userHeader: string; secret: string } | undefined;
    /** Whether people use https, where only some cookies count. */
    isSecure: () => boolean;
    /** Who may start agents that work on this machine. */
    runners: readonly Role[];
    /** Where a request came from. */
    addressOf: (request: IncomingMessage) => string;
    /** Called for each request with a key or token that does not work, with the key if there is one. */
    onRefused: (from: IncomingMessage, key: FoundKey | undefined) => void;
  };
};

export type Identified = Actor | Promise<Actor>;

/** The first packet of a socket, which may contain anything. */
export type SocketAuth = { key?: unknown; page_secret?: unknown };

/**
 * What comes with the headers: the request itself, unless the caller of an earlier one is only looked up again, and what a
 * socket sends in place of headers.
 */
type Beside = { from?: IncomingMessage | undefined; key?: string | undefined; pageSecret?: string | undefined };

export type Identify = {
  /** Who sends an HTTP request: a person, or a program on behalf of one. */
  request: (headers: IncomingHttpHeaders, from?: IncomingMessage) => Identified;
  /** Who opens a socket. `name` and `auth` come from its address and first packet: browsers send no headers with a socket. */
  socket: (headers: IncomingHttpHeaders, name: unknown, auth?: SocketAuth, from?: IncomingMessage) => Identified;
  /**
   * Who visits a page; undefined if they must sign in first. `locked`: the session's cookie came without the page secret, which
   * browsers do not send when they open an address. Pages only read, and someone who is held back only signs in. A key that
   * does not work is refused.
   */
  visitor: (headers: IncomingHttpHeaders, from?: IncomingMessage) => Promise<Actor | "locked" | undefined>;
  /** An agent that calls tools. It may ask, wait and cancel its own questions; it may never answer. */
  toolCaller: (headers: IncomingHttpHeaders, from?: IncomingMessage) => Identified;
  /** A person who answers in Slack, by their account here; undefined if they may not. */
  inSlack: (person_id: string) => Actor | undefined;
  /** The client of an agent, which shows a form and says how a person filled it in. */
  formReporter: (headers: IncomingHttpHeaders) => Promise<{ actor: Actor; by: string | undefined }>;
};

export function createIdentify({ isBrowser, accounts }: IdentifyOptions): Identify {
  const provenanceOf = (headers: IncomingHttpHeaders) => (isBrowser(headers) ? "browser" : "none");
  const isOpen = () => accounts === undefined || accounts.directory.mode === "open";
  /** Someone using a browser is present to see new questions. */
  const noted = (actor: Actor): Actor => {
    if (actor.provenance === "browser" && accounts) accounts.seen.person(LOCAL.id, accounts.clock());
    return actor;
  };
  const proven = (headers: IncomingHttpHeaders, surface: Surface, beside: Beside): Identified => {
    if (!accounts) throw new Error("nobody can have an account here");
    return prove(accounts, headers, surface, beside);
  };
  const toolCaller: Identify["toolCaller"] = (headers, from) => {
    if (isOpen()) return TOOL_CALLER;
    return then(proven(headers, "mcp", { from }), (actor) => asToolCaller(unlessHeldBack(actor)));
  };
  return {
    request: (headers, from) =>
      isOpen()
        ? noted(somebody(nameIn(headers), surfaceOf(headers), RIGHTS, provenanceOf(headers)))
        : proven(headers, surfaceOf(headers), { from }),
    socket: (headers, name, auth = {}, from) =>
      isOpen()
        ? somebody(plainName(String(name ?? "")), "socket", RIGHTS, provenanceOf(headers))
        : then(
            proven(headers, "socket", { from, key: textOf(auth.key), pageSecret: textOf(auth.page_secret) }),
            unlessHeldBack,
          ),
    visitor: async (headers, from) => {
      if (isOpen()) {
        const { unnamed: _, ...visitor } = somebody(nameIn(headers), "browser", ["read"]);
        return visitor;
      }
      try {
        const visitor = await proven(headers, "browser", { from });
        return isHeldBack(visitor) ? visitor : asReader(visitor);
      } catch (error) {
        const isNobody = error instanceof ParleyError && error.code === "unauthorized" && !headers.authorization;
        if (!isNobody) throw error;
        const isLocked = error.details?.reason === "page_secret" && headers[PAGE_SECRET_HEADER] === undefined;
        return isLocked ? "locked" : undefined;
      }
    },
    toolCaller,
    inSlack: (person_id) => {
      if (isOpen()) return person_id === LOCAL.id ? somebody(LOCAL.name, "slack", RIGHTS, "slack") : undefined;
      const person = accounts?.directory.person(person_id);
      if (!accounts || person?.status !== "active") return undefined;
      const rights = rightsOf(accounts, person.role).filter((right) => !NOT_IN_SLACK.includes(right));
      return { ...personActor(accounts, person, { method: "device" }, "slack"), provenance: "slack", rights };
    },
    formReporter: async (headers) => {
      if (isOpen()) return { actor: FORM_REPORTER, by: nameIn(headers) || undefined };
      return { actor: await toolCaller(headers), by: nameIn(headers) || undefined };
    },
  };
}

type Accounts = NonNullable<IdentifyOptions["accounts"]>;

/** Who calls, by what they bring: a key or token first, then what a proxy says, then a cookie. */
function prove(
  accounts: Accounts,
  headers: IncomingHttpHeaders,
  surface: Surface,
  { from, key, pageSecret = textOf(headers[PAGE_SECRET_HEADER]) }: Beside,
): Identified {
  const { mode } = accounts.directory;
  if (mode === "setup")
    throw new ParleyError(
      "unauthorized",
      "Nobody has an account here yet. Open the link that Parley printed on its console.",
      { reason: "setup" },
    );
  const bearer = key ?? bearerIn(headers);
  if (bearer !== undefined) {
    const { credentials } = accounts;
    const found = bearer.startsWith("parley_") ? credentials.key(bearer) : credentials.session(bearer);
    const presented: Presented = { reason: "api_key", token: bearer, pageSecret, from };
    return then(found, (credential) => actorOf(accounts, credential, surface, presented));
  }
  const user = userOfProxy(accounts, headers);
  if (user) return personActor(accounts, user, { method: "proxy" }, surface, "proxy");
  const token = sessionTokenIn(headers, accounts.isSecure());
  if (token !== undefined) {
    const presented: Presented = { reason: "ended", token, pageSecret, from };
    return then(accounts.credentials.session(token), (credential) => actorOf(accounts, credential, surface, presented));
  }
  if (accounts.allowKeyless && surface !== "browser") return keyless(headers, surface);
  throw unauthorized("sign_in");
}

/** What a caller presented, and why it is refused if that is worth nothing. */
type Presented = Pick<Beside, "from" | "pageSecret"> & { token: string; reason: "api_key" | "ended" };

function actorOf(
  accounts: Accounts,
  credential: Credential,
  surface: Surface,
  { reason, token, pageSecret = "", from }: Presented,
): Actor {
  const { directory, seen, clock } = accounts;
  const now = clock();
  if (credential?.session && credential.session.expires_at > now) {
    const { session } = credential;
    const person = directory.person(session.person_id);
    if (person?.status === "active") {
      // However the token is presented: a program that got it from a cookie could also send it as a key.
      if (session.kind === "browser" && !accounts.pageSecrets.fits(session, token, pageSecret))
        throw unauthorized("page_secret");
      seen.session(session, now, from ? accounts.addressOf(from) : null);
      return remembered(session, person, surface, () => {
        const { id, confirmed_at, proof, sid, method } = session;
        const own = { id, confirmed_at: confirmed_at ?? 0, proof, sid, isByLink: method === "link" };
        return personActor(accounts, person, session, surface, own);
      });
    }
  }
  if (credential?.key && isValid(credential.key, now)) {
    const { key } = credential;
    const owner = directory.person(key.owner_id ?? "");
    if (key.kind === "personal" && owner?.status === "active") {
      seen.key(key, now);
      return remembered(key, owner, surface, () => personalKeyActor(accounts, owner, surface));
    }
    if (key.kind === "agent") {
      const { team } = directory;
      const actor = remembered(key, team, surface, () => agentActor(team, key, surface));
      seen.key(key, now);
      return actor;
    }
  }
  if (reason === "api_key" && from) accounts.onRefused(from, credential?.key);
  throw unauthorized(reason);
}

/** What an actor was made from. The directory replaces its people whenever the team changes, so an old one never fits. */
type Source = PersonRow | Team;
/** The last actor of each credential. */
const lastActors = new WeakMap<FoundKey | FoundSession, { source: Source; surface: Surface; actor: Actor }>();

function remembered(of: FoundKey | FoundSession, source: Source, surface: Surface, create: () => Actor): Actor {
  const last = lastActors.get(of);
  if (last?.source === source && last.surface === surface) return last.actor;
  const actor = create();
  lastActors.set(of, { source, surface, actor });
  return actor;
}

function isValid({ revoked_at, expires_at }: FoundKey, now: number): boolean {
  return revoked_at === null && (expires_at === null || expires_at > now);
}

/** What each role may do when its person has signed in. */
const ROLES: Record<Role, readonly Right[]> = {
  admin: ["ask", "answer", "read", "account", "notify", "observe", "manage"],
  member: ["ask", "answer", "read", "account", "notify"],
  viewer: ["read", "account", "notify"],
};
const HELD_BACK: readonly Right[] = ["enrol"];
/** In Slack, people can neither change accounts nor create keys. */
const NOT_IN_SLACK: readonly Right[] = ["account", "notify", "manage"];
/** A key acts as its person, with the same limits. It runs nothing on this machine either: the agent may find it there. */
const NOT_BY_KEY: readonly Right[] = [...NOT_IN_SLACK, "run"];

export function rightsOf(
  { runners, directory }: Pick<Accounts, "runners" | "directory">,
  role: Role,
): readonly Right[] {
  return directory.settings.built_in_agents && role !== "viewer" && runners.includes(role)
    ? [...ROLES[role], "run"]
    : ROLES[role];
}

function personActor(
  accounts: Accounts,
  person: PersonRow,
  { method }: Pick<FoundSession, "method">,
  surface: Surface,
  session?: Actor["session"],
): Actor {
  const { directory } = accounts;
  const isBack = holdsBack(directory.settings.strong_sign_in, person.role, session);
  return {
    kind: "person",
    name: directory.nameOf(person),
    surface,
    provenance: method === "passkey" ? "passkey" : "sign_in",
    id: person.id,
    rights: isBack ? HELD_BACK : rightsOf(accounts, person.role),
    scope: isBack ? { spaces: [] } : directory.scopeOf(person),
    ...(session && { session }),
  };
}

function personalKeyActor(accounts: Accounts, owner: PersonRow, surface: Surface): Actor {
  const rights = rightsOf(accounts, owner.role).filter((right) => !NOT_BY_KEY.includes(right));
  const actor = personActor(accounts, owner, { method: "device" }, surface);
  return { ...actor, provenance: "api_key", rights };
}

/** An agent can do no more than the people behind its key: without anyone who can answer in its space, it stops. */
function agentActor(team: Team, { id, agent, space_id, owner_id, can_report }: FoundKey, surface: Surface): Actor {
  const space = space_id ?? EVERYONE;
  if (!keyWorksIn(team, id, space)) throw unauthorized("nobody_behind");
  return {
    kind: "agent",
    name: agent ?? "external",
    surface,
    id,
    rights: can_report ? ["ask", "read", "report"] : ["ask", "read"],
    scope: { key: id },
    key: { id, agent, space_id: space, owner_id },
  };
}

/** A program on this machine that brings no key, where that is allowed. It sees what such programs asked, and no more. */
function keyless(headers: IncomingHttpHeaders, surface: Surface): Actor {
  const name = nameIn(headers);
  return {
    kind: "agent",
    name: name || NO_NAME,
    ...(name === "" && { unnamed: true as const }),
    surface,
    rights: ["ask", "read", "report"],
    scope: { key: KEYLESS },
    key: { id: KEYLESS, agent: null, space_id: EVERYONE, owner_id: null },
  };
}
const KEYLESS = "keyless";

function userOfProxy({ proxy, directory }: Accounts, headers: IncomingHttpHeaders): PersonRow | undefined {
  const login = proxy && headers[proxy.userHeader];
  if (!proxy || typeof login !== "string" || login === "") return undefined;
  const secret = Buffer.from(digestOf(String(headers["x-parley-proxy-secret"] ?? "")));
  if (!timingSafeEqual(secret, Buffer.from(digestOf(proxy.secret)))) return undefined;
  const wanted = login.trim().toLowerCase();
  const person = directory.personByLogin(wanted);
  return person?.status === "active" ? person : undefined;
}

const REASONS = {
  sign_in: "Sign in first. Programs send an API key: Authorization: Bearer parley_…",
  api_key: "This key or token does not work here: it is wrong, has expired, or was revoked. Create another one.",
  ended: "Your session has ended. Sign in again.",
  page_secret: "The cookie of a session counts only together with its page secret. Sign in again.",
  nobody_behind:
    "Nobody this key belongs to can answer in its space any more. An admin can give it to someone who can.",
} as const;

function unauthorized(reason: keyof typeof REASONS): ParleyError {
  return new ParleyError("unauthorized", REASONS[reason], { reason: reason === "nobody_behind" ? "api_key" : reason });
}

/** The key, or the token of a terminal's session. */
export function bearerIn({ authorization }: IncomingHttpHeaders): string | undefined {
  if (authorization === undefined) return undefined;
  return /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? "";
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns no promise if it can avoid one: nearly every caller is already cached. */
function then<Value, Result>(value: Value | Promise<Value>, next: (value: Value) => Result): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** A person's key or session may call tools too, as an agent of theirs; the right to answer stays behind. */
function asToolCaller(actor: Actor): Actor {
  if (actor.kind === "agent") return actor;
  const { provenance: _, session: __, ...rest } = actor;
  return { ...rest, kind: "agent", rights: actor.rights.filter((right) => right === "ask" || right === "read") };
}

/** Tools and sockets are of no use to a session that is held back. */
function unlessHeldBack(actor: Actor): Actor {
  if (isHeldBack(actor)) throw strongSignInRequired();
  return actor;
}

/** A visitor who has not signed in, on pages that allow it. */
export const NOBODY: Actor = {
  kind: "person",
  name: NO_NAME,
  unnamed: true,
  surface: "rest",
  rights: [],
  scope: { spaces: [] },
};

/** An agent that Parley runs itself. */
export function identifyBuiltInAgent(name: string): Actor {
  return { kind: "agent", name, surface: "agent", rights: ["ask", "read"] };
}

/** The caller as the asking agent: over HTTP, every asker acts as an agent, because no person has decided anything. */
export function asAgent(actor: Actor): Actor {
  return { ...actor, kind: "agent", provenance: undefined };
}

/** The actor without all rights but reading. */
export function asReader(actor: Actor): Actor {
  return { ...actor, rights: actor.rights.filter((right) => right === "read") };
}

/** The rights of callers who do not have to sign in. */
const RIGHTS: Actor["rights"] = ["ask", "answer", "read", "report", "run", "observe", "notify"];
const TOOL_CALLER: Actor = { kind: "agent", name: NO_NAME, unnamed: true, surface: "mcp", rights: ["ask", "read"] };
const FORM_REPORTER: Actor = { kind: "agent", name: NO_NAME, unnamed: true, surface: "mcp", rights: ["report"] };

/** Someone on this machine, while nobody has an account. */
function somebody(name: string, surface: Surface, rights: Actor["rights"], provenance?: Provenance): Actor {
  if (name === "") return { kind: "person", name: NO_NAME, unnamed: true, surface, provenance, rights };
  return { kind: "person", name, surface, provenance, rights };
}

function surfaceOf(headers: IncomingHttpHeaders): Surface {
  // Only browsers send this header, and pages cannot forge it.
  if (headers["sec-fetch-site"] === "same-origin") return "browser";
  return headers["x-parley-surface"] === "cli" ? "cli" : "rest";
}

/** The name that the caller gives itself, percent-encoded because a header cannot carry every character. */
function nameIn(headers: IncomingHttpHeaders): string {
  const name = headers["x-parley-name"];
  return name ? plainName(decodeURIComponentSafely(String(name))) : "";
}

/** A name as the record may have it. */
export function plainName(text: string): string {
  return beginning(text.replace(/[^\p{L}\p{N} ._@-]/gu, "").trim(), 100);
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
