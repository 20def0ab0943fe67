import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Database } from "../db/database.ts";
import { seesSpace } from "../domain/team.ts";
import type { Role } from "../protocol/people.ts";
import { type AuthContext, NO_INHERITANCE } from "./context.ts";
import { Credentials } from "./credentials.ts";
import { Directory } from "./directory.ts";
import { createIdentify, type Identify, rightsOf } from "./identify.ts";
import { createSetupLink } from "./links.ts";
import { createOidc, type Oidc, type OidcSettings } from "./oidc.ts";
import { PageSecrets } from "./page-secret.ts";
import { Refusals } from "./refusals.ts";
import { Seen } from "./seen.ts";
import { Allowance, PasswordGuesses, Throttle } from "./throttle.ts";

/** People who used Parley within this time count as present. */
const HERE_MS = 60_000;

export type AuthSettings = {
  /** Whether others than this machine can reach Parley: HOST or PUBLIC_URL say so. */
  isReachable: boolean;
  passwordSignIn: boolean;
  allowKeyless: boolean;
  proxy: { userHeader: string; secret: string } | undefined;
  runners: readonly Role[];
  oidc: OidcSettings | undefined;
};

export type AuthOptions = {
  db: Database;
  settings: AuthSettings;
  /** The secret of this installation. */
  secret: string;
  isBrowser: (headers: IncomingHttpHeaders) => boolean;
  publicUrl: () => string;
  /** The address of whoever sent a request. */
  clientOf: (request: IncomingMessage) => string;
  record: AuthContext["record"];
  /** Tells the other nodes that the team has changed. */
  announce: () => void;
  clock: () => number;
  onError: (error: unknown) => void;
};

export type Auth = {
  ctx: AuthContext;
  identify: Identify;
  pageSecrets: PageSecrets;
  oidc: Oidc | undefined;
  refusals: Refusals;
  seen: Seen;
  /** Passkeys need https or localhost, and work only under the host name they were created for. */
  hasPasskeys: (host: string | undefined) => boolean;
  isSecure: () => boolean;
  /** Another node changed people, keys, spaces or sessions. */
  onRemoteChange: () => void;
  /** Called after every change to the team, on any node. */
  onChange: (listener: () => void) => void;
  setupLink: () => Promise<string>;
  /** Whether this person may run agents on this machine. While nobody has an account, anyone may. */
  mayRunAgents: (person_id: string | null) => boolean;
  /** Whether someone who can see this space has used this node within the last minute. */
  isSomebodyHere: (space_id: string, now: number) => boolean;
  stop: () => Promise<void>;
};

/** Who may use this Parley, and how they prove it. */
export async function createAuth(options: AuthOptions): Promise<Auth> {
  const { db, settings, secret, isBrowser, publicUrl, clientOf, record, announce, clock, onError } = options;
  const directory = new Directory(db, settings.isReachable, onError);
  const credentials = new Credentials(db);
  const pageSecrets = new PageSecrets(secret);
  const seen = new Seen(db, onError);
  const throttle = new Throttle(clock);
  const { allowKeyless, proxy, runners, passwordSignIn } = settings;
  directory.onChange(() => credentials.forget());
  await directory.begin();
  const deviceStarts = new Allowance(60, 10 * 60_000);
  // Three times the rate that programs are told to use.
  const devicePolls = new Allowance(10, 10_000);
  const ctx: AuthContext = {
    db,
    directory,
    credentials,
    throttle,
    passwordGuesses: new PasswordGuesses(throttle, clock),
    flowStarts: new Allowance(60, 10 * 60_000),
    deviceStarts,
    devicePolls,
    publicUrl,
    record,
    announce,
    passwordSignIn,
    inheritance: NO_INHERITANCE,
  };
  const refusals = new Refusals(ctx, clientOf, clock, onError);
  let scheme: string | undefined;
  const isSecure = () => {
    scheme ??= new URL(publicUrl()).protocol;
    return scheme === "https:";
  };
  const onRefused: Refusals["key"] = (from, key) => refusals.key(from, key);
  const settled = { allowKeyless, proxy, isSecure, runners };
  const accounts = { directory, credentials, pageSecrets, seen, clock, ...settled, addressOf: clientOf, onRefused };
  return {
    ctx,
    identify: createIdentify({ isBrowser, accounts }),
    pageSecrets,
    oidc: settings.oidc && createOidc(ctx, settings.oidc),
    refusals,
    seen,
    hasPasskeys: (host) => {
      const url = new URL(publicUrl());
      const isTrusted = url.protocol === "https:" || /(^|\.)localhost$/.test(url.hostname);
      return isTrusted && host?.toLowerCase() === url.host;
    },
    isSecure,
    onRemoteChange: () => void directory.refresh().catch(onError),
    onChange: (listener) => directory.onChange(listener),
    mayRunAgents: (person_id) => {
      const person = person_id === null ? undefined : directory.person(person_id);
      if (!person) return directory.mode === "open";
      return person.status === "active" && rightsOf(accounts, person.role).includes("run");
    },
    setupLink: () => createSetupLink(ctx, clock()),
    isSomebodyHere: (space_id, now) =>
      seen.since(now - HERE_MS).some((id) => {
        const person = directory.person(id);
        return person ? seesSpace(directory.team, person, space_id) : directory.mode === "open";
      }),
    stop: async () => {
      directory.stop();
      await refusals.stop();
      await seen.stop();
    },
  };
}
