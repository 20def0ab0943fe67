import type { Database } from "../db/database.ts";
import { OpenError } from "../db/errors.ts";
import { findConversation } from "../db/hot/conversations.ts";
import type { PersonRow } from "../db/tables.ts";
import { disableEverybody } from "../db/team/statements.ts";
import { decidedBy } from "../domain/rights.ts";
import type { Actor } from "../protocol/actor.ts";
import { NO_NAME } from "../protocol/no-name.ts";
import { TEAM_RECORD, type TeamChange } from "../protocol/space.ts";
import { type AuthContext, change, NO_INHERITANCE } from "./context.ts";
import { Credentials } from "./credentials.ts";
import { Directory } from "./directory.ts";
import { createSetupLink } from "./links.ts";
import { createResetLink, updatePerson } from "./people.ts";
import { updateTeamSettings } from "./team-settings.ts";
import { Allowance, PasswordGuesses, Throttle } from "./throttle.ts";

// What someone with access to the database can do without an account. This is the way out of every lock-out. It runs
// alongside the server, which notices the changes within a second.

export type AtTheMachine = {
  /** Whether anyone has an active account. */
  isTeam: boolean;
  people: readonly PersonRow[];
  personByLogin: (login: string) => PersonRow | undefined;
  setupLink: () => Promise<string>;
  resetLink: (person: PersonRow) => Promise<{ url: string; expires_at: string }>;
  makeAdmin: (person: PersonRow) => Promise<void>;
  /** Changes what admins decide for the whole team. */
  set: (settings: TeamChange) => Promise<void>;
  /** Disables everyone and ends their sessions. False if someone else already has. */
  endTeam: () => Promise<boolean>;
};

export type MachineOptions = { db: Database; publicUrl: string; isReachable: boolean; name: string | undefined };

export async function atTheMachine({ db, publicUrl, isReachable, name }: MachineOptions): Promise<AtTheMachine> {
  const directory = new Directory(db, isReachable, () => {});
  await directory.refresh();
  const throttle = new Throttle(Date.now);
  const ctx: AuthContext = {
    db,
    directory,
    credentials: new Credentials(db),
    deviceStarts: new Allowance(0, 0),
    devicePolls: new Allowance(0, 0),
    throttle,
    passwordGuesses: new PasswordGuesses(throttle, Date.now),
    flowStarts: new Allowance(0, 0),
    publicUrl: () => publicUrl,
    record: { begin: () => requireRecord(db), changed: () => {} },
    announce: () => {},
    passwordSignIn: true,
    inheritance: NO_INHERITANCE,
  };
  const actor = ownerOf(name);
  return {
    isTeam: directory.mode === "team",
    people: directory.people,
    personByLogin: (login) => directory.personByLogin(login.trim().toLowerCase()),
    setupLink: () => createSetupLink(ctx, Date.now()),
    resetLink: ({ id }) => createResetLink(ctx, actor, id, Date.now()),
    makeAdmin: async ({ id }) => void (await updatePerson(ctx, actor, id, { role: "admin" }, Date.now())),
    set: async (settings) => void (await updateTeamSettings(ctx, actor, settings, Date.now())),
    endTeam: async () => {
      const now = Date.now();
      const people = directory.people.filter(({ status }) => status === "active").map(({ id }) => id);
      const event = { action: "team.ended" as const, actor: decidedBy(actor), at: now, after: { people } };
      return change(ctx, disableEverybody(now), event);
    },
  };
}

/** Someone with access to the database may do everything. Nothing else is known about them. */
function ownerOf(name: string | undefined): Actor {
  return { kind: "person", name: name || NO_NAME, surface: "cli", provenance: "none", rights: ["manage"] };
}

/** The first account begins the record, and it never ends. */
async function requireRecord(db: Database): Promise<void> {
  if (!(await findConversation(db, TEAM_RECORD)))
    throw new OpenError("The record of the team is missing from this database. Start Parley, and try again.");
}
