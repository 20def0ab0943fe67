import type { NotificationEvent, NotifyNote } from "../protocol/notification.ts";
import { DEFAULT_STEPS, type Step, type StepTarget, type Wish } from "../protocol/space.ts";
import type { Claim } from "./ask.ts";
import { reachableAt } from "./availability.ts";
import { claimAt } from "./claims.ts";
import { assigneeFor, canAnswerIn, type Team, type TeamPerson } from "./team.ts";

// Who is notified about an open question, and when. Pure: everything it depends on is an argument, so that a whole night can
// be tested in a millisecond.
//
// The steps of a space make a timeline, counted from when the question was asked. It pauses while the question is claimed,
// and starts again when it is reopened or the claim ends. People who are away or in quiet hours are skipped. If a step
// reaches nobody, the next steps run immediately; if none of them reaches anyone, this is noted and tried again later.

/** An open item, as far as this depends on it. */
export type Escalated = {
  space_id: string;
  created_at: number;
  deadline_at: number | null;
  assignee_id: string | null;
  claim: Claim | null;
  /** When this look was asked for. */
  notify_at: number;
  notify_step: number;
  /** Whether everything that the last step sent to people has failed for good. */
  isFailed: boolean;
};

/** What is remembered between two looks at an item. */
export type EscalationState = {
  began_at: number;
  /** The timeline is done up to here. */
  done_at: number;
  /** `notify_step` as the last look left it. */
  step: number;
  /** The claim for which it waits. */
  claimed_at: number | null;
  /** Who knows that it is theirs. */
  assignee_id: string | null;
  /** People to tell when their quiet hours end. */
  deferred: string[];
  note: NotifyNote | null;
  reachable_at: number | null;
};

/** Who could be notified, and how. */
export type Audience = {
  team: Team;
  /** The channels that reach a person, by id; none if they have none. */
  channelsOf: (person_id: string) => readonly string[];
  /** The channels of the space, except webhooks. */
  spaceChannels: readonly string[];
  /** The space's webhooks, which receive every event and do not count as people. */
  webhooks: readonly string[];
  wishOf: (person_id: string) => Wish;
  /** Whether the person has the question on their screen. */
  isLooking: (person_id: string) => boolean;
  /** Until when people have put the question away. They are not notified before, and again then. */
  snoozes: ReadonlyMap<string, number>;
};

export type Addressee = { channel_id: string; person_id: string | null };
export type Look = {
  event: NotificationEvent;
  notify: Addressee[];
  state: EscalationState;
  /** When to check again; null if nothing is left to do. */
  next_at: number | null;
};

/** How long to wait after nobody could be reached: someone may have added a channel or come back early. */
export const RETRY_MS = 15 * 60_000;
const DEFAULT_EVERY_S = 900;

type Entry = { at: number; notify: readonly StepTarget[] };

/** What to do about an open item now. */
export function escalate(item: Escalated, before: EscalationState | null, audience: Audience, now: number): Look {
  const claim = claimAt(item, now);
  if (claim) return pause(item, before, audience, claim);
  const state = continued(item, before);
  const entries = timeline(stepsOf(audience.team, item.space_id), state.began_at, item.deadline_at);
  const later = entries.filter(({ at }) => at > now);
  const isFailed = item.isFailed && state === before;
  const due = dueEntries(entries, state, now);
  const reach = new Reach(item, audience, now);

  for (const { notify } of due) reach.add(notify);
  const isGiven = item.assignee_id !== null && item.assignee_id !== state.assignee_id;
  if (isGiven) reach.add(["assignee"]);
  for (const id of state.deferred) reach.addDeferred(id);
  for (const [id, until] of audience.snoozes) if (until <= now && until > state.done_at) reach.addDeferred(id);
  const isStep = due.length > 0 || isFailed;
  // Nobody was notified, so the people in the next steps are notified now, and again at their own step.
  if (isStep || (isGiven && reach.isEmpty)) for (const { notify } of later) if (reach.isEmpty) reach.add(notify);

  const isLost = isStep && reach.isEmpty;
  const notify = reach.addressees();
  const isFirst = item.notify_step === 0;
  const event = isFirst ? "asked" : isStep || !isGiven ? "escalated" : "assigned";
  if (isFirst || (isStep && notify.length > 0))
    notify.push(...audience.webhooks.map((channel_id) => ({ channel_id, person_id: null })));

  const deferred = reach.deferred();
  const waits = [...(later[0] ? [later[0].at] : []), ...deferred.map(({ at }) => at)];
  waits.push(...[...audience.snoozes.values()].filter((until) => until > now));
  if (isLost) waits.push(now + RETRY_MS);
  // The note stays until someone is reached. After a failure, that means until a message sent now arrives.
  const isKept = state.note !== null && (reach.isEmpty || isFailed);
  const noted: Pick<EscalationState, "note" | "reachable_at"> = isLost
    ? { note: reach.knowsSomebody ? "nobody_reachable" : "no_channel", reachable_at: reach.earliest() }
    : isKept
      ? state
      : { note: isFailed ? "nobody_reachable" : null, reachable_at: null };
  return {
    event,
    notify,
    state: {
      ...state,
      done_at: Math.max(state.done_at, now),
      step: item.notify_step + (notify.length > 0 ? 1 : 0),
      assignee_id: item.assignee_id,
      deferred: deferred.map(({ id }) => id),
      note: noted.note,
      reachable_at: noted.reachable_at,
    },
    next_at: waits.length === 0 ? null : Math.max(now + 1, Math.min(...waits)),
  };
}

/** While someone is answering, only programs are notified. */
function pause(item: Escalated, before: EscalationState | null, audience: Audience, claim: Claim): Look {
  const isNews = before?.claimed_at !== claim.at && item.notify_step > 0;
  const notify = isNews ? audience.webhooks.map((channel_id) => ({ channel_id, person_id: null })) : [];
  const state = before ?? newState(item.created_at, item);
  return {
    event: "claimed",
    notify,
    state: {
      ...state,
      step: item.notify_step + (notify.length > 0 ? 1 : 0),
      claimed_at: claim.at,
      deferred: [],
      note: null,
      reachable_at: null,
    },
    next_at: claim.expires_at,
  };
}

/** The state to continue from: a new one if the question was just asked, was reopened, or is no longer claimed. */
function continued(item: Escalated, before: EscalationState | null): EscalationState {
  const isNew = before === null && item.notify_step === 0;
  const isReopened = !isNew && before?.step !== item.notify_step;
  const { claim } = item;
  if (before && !isReopened && before.claimed_at === null && !(claim && claim.expires_at > before.began_at))
    return before;
  const began_at = isNew && !claim ? item.created_at : claim ? claim.expires_at : item.notify_at;
  return newState(began_at, item);
}

function newState(began_at: number, { notify_step, assignee_id }: Escalated): EscalationState {
  return {
    began_at,
    done_at: began_at - 1,
    step: notify_step,
    claimed_at: null,
    assignee_id,
    deferred: [],
    note: null,
    reachable_at: null,
  };
}

export function stepsOf({ spaces }: Team, space_id: string): readonly Step[] {
  return spaces.get(space_id)?.steps ?? DEFAULT_STEPS;
}

/** When each step of a run is due, with its repeats. A last call before the question was asked is none. */
export function timeline(steps: readonly Step[], began_at: number, deadline_at: number | null): Entry[] {
  const entries = steps.flatMap(({ after_s, before_deadline_s, notify, repeats = 0, every_s = DEFAULT_EVERY_S }) => {
    const first =
      after_s !== undefined
        ? began_at + after_s * 1_000
        : deadline_at === null
          ? undefined
          : deadline_at - (before_deadline_s ?? 0) * 1_000;
    if (first === undefined) return [];
    return Array.from({ length: repeats + 1 }, (_, nth) => ({ at: first + nth * every_s * 1_000, notify }));
  });
  return entries
    .filter(({ at }) => at >= began_at && (deadline_at === null || at < deadline_at))
    .sort((one, other) => one.at - other.at);
}

/** The steps to take now: those whose time has come, or again the latest one if nobody was reached with it. */
function dueEntries(entries: Entry[], state: EscalationState, now: number): Entry[] {
  const past = entries.filter(({ at }) => at <= now);
  const due = past.filter(({ at }) => at > state.done_at);
  if (due.length > 0 || state.note === null) return due;
  const last = past.at(-1) ?? entries[0];
  return last ? [last] : [];
}

/** Collects people and channels, each once, and remembers who was passed over and why. */
class Reach {
  readonly #item: Escalated;
  readonly #audience: Audience;
  readonly #now: number;
  readonly #people = new Map<string, readonly string[]>();
  readonly #channels = new Set<string>();
  readonly #quiet = new Map<string, number>();
  #earliest: number | undefined;
  /** Whether anyone, reachable or not, has a channel at all. */
  knowsSomebody = false;

  constructor(item: Escalated, audience: Audience, now: number) {
    this.#item = item;
    this.#audience = audience;
    this.#now = now;
  }

  get isEmpty(): boolean {
    return this.#people.size === 0 && this.#channels.size === 0;
  }

  add(targets: readonly StepTarget[]): void {
    for (const target of targets) {
      if (target === "channels") for (const id of this.#audience.spaceChannels) this.#channels.add(id);
      else for (const { person, isOwn } of this.#peopleOf(target)) this.#try(person, isOwn);
    }
    if (this.#channels.size > 0) this.knowsSomebody = true;
  }

  addDeferred(person_id: string): void {
    const person = this.#audience.team.people.get(person_id);
    if (person) this.#try(person, person_id === this.#item.assignee_id);
  }

  addressees(): Addressee[] {
    const ofPeople = [...this.#people].flatMap(([person_id, channels]) =>
      channels.map((channel_id) => ({ channel_id, person_id })),
    );
    return [...ofPeople, ...[...this.#channels].map((channel_id) => ({ channel_id, person_id: null }))];
  }

  /** Who is notified when their quiet hours end. */
  deferred(): Array<{ id: string; at: number }> {
    return [...this.#quiet].map(([id, at]) => ({ id, at }));
  }

  earliest(): number | null {
    return this.#earliest ?? null;
  }

  #peopleOf(target: Exclude<StepTarget, "channels">): Array<{ person: TeamPerson; isOwn: boolean }> {
    const { team } = this.#audience;
    const { assignee_id, space_id } = this.#item;
    const assignee = assignee_id === null ? undefined : team.people.get(assignee_id);
    const own = assignee ? [{ person: assigneeFor(team, assignee, space_id, this.#now), isOwn: true }] : [];
    if (target === "assignee") return own;
    if (target === "assignee_or_members" && own.length > 0) return own;
    const all = [...team.people.values()].map((person) => ({ person, isOwn: person.id === assignee_id }));
    if (target === "assignee_or_members" || target === "members")
      return all.filter(({ person }) => this.#isMember(person));
    if (target === "admins") return all.filter(({ person }) => person.role === "admin");
    return all.filter(({ person }) => person.id === target);
  }

  /** Admins see every space, but only belong to those that they are a member of. */
  #isMember({ id }: TeamPerson): boolean {
    const space = this.#audience.team.spaces.get(this.#item.space_id);
    return space === undefined || space.open || space.members.has(id);
  }

  #try(person: TeamPerson, isOwn: boolean): void {
    const { team, channelsOf, wishOf, isLooking, snoozes } = this.#audience;
    if (this.#people.has(person.id) || !canAnswerIn(team, person, this.#item.space_id)) return;
    const wish = wishOf(person.id);
    if (wish === "none" || (wish === "assigned" && !isOwn)) return;
    const channels = channelsOf(person.id);
    const snoozed = snoozes.get(person.id) ?? 0;
    if (snoozed > this.#now) {
      if (channels.length > 0) this.knowsSomebody = true;
      this.#earliest = Math.min(this.#earliest ?? snoozed, snoozed);
      return;
    }
    if (isLooking(person.id)) {
      this.#people.set(person.id, []);
      return;
    }
    if (channels.length === 0) return;
    this.knowsSomebody = true;
    const at = reachableAt(person, this.#now);
    if (at === null) this.#people.set(person.id, channels);
    else if (at !== undefined) {
      this.#earliest = Math.min(this.#earliest ?? at, at);
      this.#quiet.set(person.id, at);
    }
  }
}
