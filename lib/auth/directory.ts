import type { Database } from "../db/database.ts";
import { readTeamVersion } from "../db/hot/identity.ts";
import { parseJson } from "../db/json.ts";
import type { ApiKeyRow, ChannelRow, KeyPersonRow, PersonRow } from "../db/tables.ts";
import type { SpaceWithMembers } from "../db/team/read.ts";
import { readTeam } from "../db/team/read.ts";
import { type KeyPeople, spacesOf, type Team, type TeamSpace } from "../domain/team.ts";
import type { Scope } from "../protocol/actor.ts";
import { sameName, visibleName } from "../protocol/characters.ts";
import type { Mode } from "../protocol/sign-in.ts";
import type { TeamSettings, Wish } from "../protocol/space.ts";

type Rows = { people: PersonRow[]; spaces: SpaceWithMembers[] };

/**
 * Keeps people, spaces, channels and key owners in memory. Reads them again when this node changes them, when another node
 * says that it did, and when their version changes. It checks the version every second, because the terminal changes them
 * from a separate process.
 */
export class Directory {
  readonly #db: Database;
  readonly #isReachable: boolean;
  readonly #onError: (error: unknown) => void;
  #rows: Rows = { people: [], spaces: [] };
  #mode: Mode;
  #team: Team = { people: new Map(), spaces: new Map(), keys: new Map() };
  #byId: ReadonlyMap<string, PersonRow> = new Map();
  #scopes = new Map<PersonRow, Scope>();
  #wishes: ReadonlyMap<string, Wish> = new Map();
  #channels: readonly ChannelRow[] = [];
  #settings: TeamSettings = { built_in_agents: false, strong_sign_in: "off" };
  /** Names that several people have. */
  #shared: ReadonlySet<string> = new Set();
  #version = -1;
  #reading: Promise<void> | undefined;
  #confirming: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #listeners = new Set<() => void>();

  /** `isReachable`: others than this machine can reach Parley. */
  constructor(db: Database, isReachable: boolean, onError: (error: unknown) => void) {
    this.#db = db;
    this.#isReachable = isReachable;
    this.#onError = onError;
    this.#mode = this.#modeOf([]);
  }

  async begin(lookMs = LOOK_MS): Promise<void> {
    await this.refresh();
    this.#timer = setInterval(() => void this.#look().catch(this.#onError), lookMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Every request needs it, so it is computed once per change. */
  get mode(): Mode {
    return this.#mode;
  }

  /** For the rules. Empty unless people sign in. */
  get team(): Team {
    return this.#team;
  }

  person(id: string): PersonRow | undefined {
    return this.#byId.get(id);
  }

  /** Someone who can sign in with this login. */
  personByLogin(login: string): PersonRow | undefined {
    return this.#rows.people.find((person) => person.login === login);
  }

  /** The name others see. Two people with the same name are told apart by what they sign in with. */
  nameOf(person: Pick<PersonRow, "name" | "login">): string {
    const name = visibleName(person.name);
    return this.#shared.has(sameName(name)) ? `${name} (${person.login})` : name;
  }

  /** What a person sees. Worked out once for each change of the team. */
  scopeOf(person: PersonRow): Scope {
    const known = this.#scopes.get(person);
    if (known) return known;
    const scope = person.role === "admin" ? "all" : { spaces: spacesOf(this.#team, person).map(({ id }) => id) };
    this.#scopes.set(person, scope);
    return scope;
  }

  get people(): readonly PersonRow[] {
    return this.#rows.people;
  }

  get spaces(): readonly SpaceWithMembers[] {
    return this.#rows.spaces;
  }

  /** Which of a space's questions a person wants to be notified about. */
  wishOf(space_id: string, person_id: string): Wish {
    return this.#wishes.get(`${space_id} ${person_id}`) ?? "all";
  }

  /** What admins have decided for the whole team. */
  get settings(): TeamSettings {
    return this.#settings;
  }

  get channels(): readonly ChannelRow[] {
    return this.#channels;
  }

  /** Called after every change, of this node or another. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Reads everything again. A read that has begun may have missed the change: another one follows it. */
  async refresh(): Promise<void> {
    const before = this.#reading;
    const reading = (async () => {
      await before?.catch(() => {});
      await this.#read();
    })();
    this.#reading = reading;
    await reading;
    if (this.#reading === reading) this.#reading = undefined;
  }

  /** Without an active person nobody could sign in, so nobody is asked to. */
  #modeOf(people: PersonRow[]): Mode {
    if (people.some(({ status }) => status === "active")) return "team";
    return this.#isReachable ? "setup" : "open";
  }

  /** Makes sure that nothing here is older than this moment; undefined where no other node changes anything. */
  confirm(): Promise<void> | undefined {
    if (this.#db.kind === "sqlite" || this.#mode !== "team") return undefined;
    // Callers of one moment share a read, which begins after the last of them.
    this.#confirming ??= new Promise(setImmediate).then(() => {
      this.#confirming = undefined;
      return this.#look();
    });
    return this.#confirming;
  }

  async #look(): Promise<void> {
    if ((await readTeamVersion(this.#db)) !== this.#version) await this.refresh();
  }

  async #read(): Promise<void> {
    // Before the rows: a change in between is then found by the next look.
    const version = await readTeamVersion(this.#db);
    const { people, spaces, keys, keyPeople, wishes, channels, settings } = await readTeam(this.#db);
    this.#version = version;
    this.#wishes = new Map(wishes.map(({ space_id, person_id, notify }) => [`${space_id} ${person_id}`, notify]));
    this.#channels = channels;
    this.#settings = settings;
    this.#rows = { people, spaces };
    this.#mode = this.#modeOf(people);
    this.#byId = new Map(people.map((person) => [person.id, person]));
    this.#scopes = new Map();
    const names = people.map(({ name }) => sameName(name));
    this.#shared = new Set(names.filter((name, index) => names.indexOf(name) !== index));
    this.#team = {
      people: new Map(people.map((person) => [person.id, { ...person, name: this.nameOf(person) }])),
      spaces: new Map(spaces.map((space) => [space.id, spaceOf(space)])),
      keys: keysOf(keys, keyPeople),
    };
    for (const listener of this.#listeners) listener();
  }
}

const LOOK_MS = 1_000;

function keysOf(keys: Array<Pick<ApiKeyRow, "id" | "owner_id">>, people: KeyPersonRow[]): Map<string, KeyPeople> {
  const known = new Map<string, { responsible: string[]; behind: Set<string> }>();
  const add = (key_id: string, person_id: string, isResponsible: boolean) => {
    const key = known.get(key_id) ?? { responsible: [], behind: new Set() };
    if (isResponsible) key.responsible.push(person_id);
    key.behind.add(person_id);
    known.set(key_id, key);
  };
  for (const { id, owner_id } of keys) if (owner_id !== null) add(id, owner_id, true);
  for (const { key_id, person_id, part } of people) add(key_id, person_id, part === "responsible");
  return known;
}

function spaceOf({ members, archived_at, steps, ...space }: SpaceWithMembers): TeamSpace {
  return { ...space, members: new Set(members), archived: archived_at !== null, steps: parseJson(steps) };
}
