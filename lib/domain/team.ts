import type { PersonRef, PersonView, Role } from "../protocol/people.ts";
import type { SpaceView, Step } from "../protocol/space.ts";

// Who is in the team, as of one moment. lib/auth keeps it up to date; the rules only read it.

export type TeamPerson = {
  id: string;
  login: string;
  name: string;
  role: Role;
  status: PersonView["status"];
  out_of_office_until: number | null;
  delegate_id: string | null;
  time_zone: string | null;
  /** JSON of `QuietHours`: lib/domain/availability.ts. */
  quiet_hours: string | null;
};
export type TeamSpace = {
  id: string;
  name: string;
  open: boolean;
  requires_second_person: boolean;
  members: ReadonlySet<string>;
  archived: boolean;
  /** Null: the default. */
  steps: Step[] | null;
  detail: SpaceView["detail"];
};

/** The people behind an agent's key. */
export type KeyPeople = {
  /** Its owner, or the people responsible for a key that belongs to its space. */
  responsible: readonly string[];
  /** Everyone who could have its secret, now or earlier. They do not count as a second person for what it asks. */
  behind: ReadonlySet<string>;
};

export type Team = {
  people: ReadonlyMap<string, TeamPerson>;
  spaces: ReadonlyMap<string, TeamSpace>;
  /** The people behind each agent's key. */
  keys: ReadonlyMap<string, KeyPeople>;
};

/** Nobody has an account. */
export const NO_TEAM: Team = { people: new Map(), spaces: new Map(), keys: new Map() };

/** The spaces that a person sees: all for an admin, and otherwise the open ones and their own. */
export function spacesOf({ spaces }: Team, { id, role }: Pick<TeamPerson, "id" | "role">): TeamSpace[] {
  const all = [...spaces.values()];
  return role === "admin" ? all : all.filter((space) => space.open || space.members.has(id));
}

export function seesSpace({ spaces }: Team, { id, role }: TeamPerson, space_id: string): boolean {
  const space = spaces.get(space_id);
  return role === "admin" || (space !== undefined && (space.open || space.members.has(id)));
}

/** Whether someone behind an agent's key can answer in its space: a key can do no more than its people. */
export function keyWorksIn(team: Team, key_id: string, space_id: string): boolean {
  const people = team.keys.get(key_id)?.responsible ?? [];
  return people.some((id) => {
    const person = team.people.get(id);
    return person !== undefined && canAnswerIn(team, person, space_id);
  });
}

/** Who can answer in a space, whether or not they are away. */
export function canAnswerIn(team: Team, person: TeamPerson, space_id: string): boolean {
  return person.status === "active" && person.role !== "viewer" && seesSpace(team, person, space_id);
}

/** A person by id or by what they sign in with. */
export function findPerson({ people }: Team, wanted: string): TeamPerson | undefined {
  const login = wanted.trim().toLowerCase();
  return people.get(wanted) ?? [...people.values()].find((person) => person.login === login);
}

const MAX_DELEGATES = 3;

/**
 * Who gets a question assigned to a person: that person, or while they are out of office their delegate, or the delegate's
 * delegate. People who cannot answer in the space are skipped. If the delegates form a circle, the question stays with the
 * person.
 */
export function assigneeFor(team: Team, person: TeamPerson, space_id: string, now: number): TeamPerson {
  let current = person;
  for (let step = 0; step < MAX_DELEGATES; step++) {
    if (!isAway(current, now)) return current;
    const next = team.people.get(current.delegate_id ?? "");
    if (!next || next.id === person.id || !canAnswerIn(team, next, space_id)) break;
    current = next;
  }
  return isAway(current, now) ? person : current;
}

export function isAway({ out_of_office_until }: TeamPerson, now: number): boolean {
  return out_of_office_until !== null && out_of_office_until > now;
}

/** Whether this space requires someone other than the key's owner to answer. */
export function requiresSecondPerson({ spaces }: Team, space_id: string): boolean {
  return spaces.get(space_id)?.requires_second_person ?? false;
}

/** The person who uses Parley while nobody has an account. */
export const LOCAL: TeamPerson = {
  id: "local",
  login: "local",
  name: "local",
  role: "admin",
  status: "active",
  out_of_office_until: null,
  delegate_id: null,
  time_zone: null,
  quiet_hours: null,
};

/** A person as the record names them. */
export function refOf({ id, name }: TeamPerson): PersonRef {
  return { id, name };
}
