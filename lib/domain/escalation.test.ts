import { describe, expect, test } from "vitest";
import type { Step, StepTarget } from "../protocol/space.ts";
import { isQuiet } from "./availability.ts";
import { type Audience, type Escalated, type EscalationState, escalate, RETRY_MS, timeline } from "./escalation.ts";
import { assigneeFor, isAway, LOCAL, type Team, type TeamPerson } from "./team.ts";

const MINUTE = 60_000;
const T0 = Date.parse("2026-01-15T12:00:00Z");
const SPACE = "spc_a";

const person = (id: string, more: Partial<TeamPerson> = {}): TeamPerson => ({
  ...LOCAL,
  id,
  name: id,
  role: "member",
  ...more,
});
const teamOf = (people: TeamPerson[], steps: Step[] | null = null, members = people.map(({ id }) => id)): Team => ({
  people: new Map(people.map((one) => [one.id, one])),
  keys: new Map(),
  spaces: new Map([
    [
      SPACE,
      {
        id: SPACE,
        name: "A",
        open: false,
        requires_second_person: false,
        members: new Set(members),
        archived: false,
        steps,
        detail: "full",
      },
    ],
  ]),
});
const audience = (team: Team, more: Partial<Audience> = {}): Audience => ({
  team,
  channelsOf: (id) => [`${id}.phone`],
  spaceChannels: [],
  webhooks: [],
  wishOf: () => "all",
  isLooking: () => false,
  snoozes: new Map(),
  ...more,
});
const item = (more: Partial<Escalated> = {}): Escalated => ({
  space_id: SPACE,
  created_at: T0,
  deadline_at: null,
  assignee_id: null,
  claim: null,
  notify_at: T0,
  notify_step: 0,
  isFailed: false,
  ...more,
});
const told = (look: { notify: Array<{ channel_id: string }> }) => look.notify.map(({ channel_id }) => channel_id);

describe("escalation", () => {
  const ann = person("ann");
  const bob = person("bob");
  const ada = person("ada", { role: "admin" });

  test("tells the members at once, again after 15 minutes, and admins after an hour", () => {
    const people = audience(teamOf([ann, bob, ada], null, ["ann", "bob"]));
    const first = escalate(item(), null, people, T0);
    expect(told(first)).toEqual(["ann.phone", "bob.phone"]);
    expect(first).toMatchObject({ event: "asked", next_at: T0 + 15 * MINUTE });
    const second = escalate(item({ notify_step: 1 }), first.state, people, T0 + 15 * MINUTE);
    expect(told(second)).toEqual(["ann.phone", "bob.phone"]);
    expect(second).toMatchObject({ event: "escalated", next_at: T0 + 60 * MINUTE });
    const third = escalate(item({ notify_step: 2 }), second.state, people, T0 + 60 * MINUTE);
    expect(told(third)).toEqual(["ada.phone"]);
    expect(third.next_at).toBeNull();
  });

  test("tells the assignee alone, or their delegate while they are away", () => {
    const away = person("ann", { out_of_office_until: T0 + 1, delegate_id: "bob" });
    expect(told(escalate(item({ assignee_id: "ann" }), null, audience(teamOf([ann, bob])), T0))).toEqual(["ann.phone"]);
    expect(told(escalate(item({ assignee_id: "ann" }), null, audience(teamOf([away, bob])), T0))).toEqual([
      "bob.phone",
    ]);
  });

  test("takes the next step at once if nobody was reached, and says so if nobody can be", () => {
    const quiet = JSON.stringify({ from: "11:00", to: "13:00" });
    const sleeping = [person("ann", { quiet_hours: quiet }), ada];
    const atOnce = escalate(item(), null, audience(teamOf(sleeping, null, ["ann"])), T0);
    expect(told(atOnce)).toEqual(["ada.phone"]);
    expect(atOnce.state).toMatchObject({ note: null, deferred: ["ann"] });
    const all = [person("ann", { quiet_hours: quiet })];
    const nobody = escalate(item(), null, audience(teamOf(all)), T0);
    expect(told(nobody)).toEqual([]);
    expect(nobody.state).toMatchObject({ note: "nobody_reachable", reachable_at: T0 + 60 * MINUTE });
    expect(nobody.next_at).toBe(T0 + RETRY_MS);
    const none = escalate(item(), null, audience(teamOf([ann]), { channelsOf: () => [] }), T0);
    expect(none.state.note).toBe("no_channel");
  });

  test("tells those with quiet hours when these end", () => {
    const quiet = JSON.stringify({ from: "11:00", to: "13:00" });
    const people = audience(teamOf([person("ann", { quiet_hours: quiet }), bob]));
    const first = escalate(item(), null, people, T0);
    expect(told(first)).toEqual(["bob.phone"]);
    const second = escalate(item({ notify_step: 1 }), first.state, people, T0 + 15 * MINUTE);
    const third = escalate(item({ notify_step: 2 }), second.state, people, T0 + 60 * MINUTE);
    expect(told(third)).toContain("ann.phone");
  });

  test("leaves out people who have put the question away, and tells them when it comes back, once", () => {
    const until = T0 + 20 * MINUTE;
    const team = teamOf([ann, bob]);
    const people = audience(team, { snoozes: new Map([["ann", until]]) });
    const first = escalate(item(), null, audience(team), T0);
    expect(told(first)).toEqual(["ann.phone", "bob.phone"]);
    const second = escalate(item({ notify_step: 1 }), first.state, people, T0 + 15 * MINUTE);
    expect(told(second)).toEqual(["bob.phone"]);
    expect(second.next_at).toBe(until);
    const back = escalate(item({ notify_step: 2 }), second.state, people, until);
    expect(back.event).toBe("escalated");
    expect(told(back)).toEqual(["ann.phone"]);
    const after = escalate(item({ notify_step: 3 }), back.state, people, until + MINUTE);
    expect(told(after)).toEqual([]);
    expect(after.next_at).toBe(T0 + 60 * MINUTE);
  });

  test("a question that everyone has put away says when someone can be reached, and respects quiet hours then", () => {
    const until = T0 + 20 * MINUTE;
    const sleeps = person("ann", { quiet_hours: JSON.stringify({ from: "12:10", to: "12:30" }) });
    const people = audience(teamOf([sleeps]), { snoozes: new Map([["ann", until]]) });
    const first = escalate(item(), null, people, T0);
    expect(told(first)).toEqual([]);
    expect(first.state).toMatchObject({ note: "nobody_reachable", reachable_at: until });
    const back = escalate(item(), first.state, people, until);
    expect(told(back)).toEqual([]);
    const awake = escalate(item(), back.state, people, T0 + 30 * MINUTE);
    expect(told(awake)).toEqual(["ann.phone"]);
    expect(awake.state.note).toBeNull();
  });

  test("pauses while the question is claimed, and starts again when the claim lapses", () => {
    const people = audience(teamOf([ann]), { webhooks: ["hook"] });
    const first = escalate(item(), null, people, T0);
    const claim = { by: { id: "ann", name: "ann" }, at: T0 + MINUTE, expires_at: T0 + 31 * MINUTE };
    const paused = escalate(item({ notify_step: 1, claim }), first.state, people, T0 + MINUTE);
    expect(told(paused)).toEqual(["hook"]);
    expect(paused).toMatchObject({ event: "claimed", next_at: claim.expires_at });
    const lapsed = escalate(item({ notify_step: 2, claim }), paused.state, people, claim.expires_at);
    expect(told(lapsed)).toEqual(["ann.phone", "hook"]);
    expect(lapsed.next_at).toBe(claim.expires_at + 15 * MINUTE);
  });

  test("gives a last call before the deadline, and follows it when it moves", () => {
    const steps: Step[] = [
      { after_s: 0, notify: ["members"] },
      { before_deadline_s: 300, notify: ["members"] },
    ];
    const deadline_at = T0 + 60 * MINUTE;
    const people = audience(teamOf([ann], steps));
    const first = escalate(item({ deadline_at }), null, people, T0);
    expect(first.next_at).toBe(deadline_at - 5 * MINUTE);
    const moved = escalate(
      item({ notify_step: 1, deadline_at: deadline_at + 60 * MINUTE }),
      first.state,
      people,
      T0 + MINUTE,
    );
    expect(told(moved)).toEqual([]);
    expect(moved.next_at).toBe(deadline_at + 55 * MINUTE);
  });

  test("repeats a step as often as it says", () => {
    const steps: Step[] = [{ after_s: 10, notify: ["members"], repeats: 2, every_s: 60 }];
    expect(timeline(steps, T0, null).map(({ at }) => at - T0)).toEqual([10_000, 70_000, 130_000]);
  });

  test("goes on to the next step when everything it sent has failed, and waits when that fails too", () => {
    const people = audience(teamOf([ann, ada], null, ["ann"]));
    const first = escalate(item(), null, people, T0);
    const second = escalate(item({ notify_step: 1, isFailed: true }), first.state, people, T0 + MINUTE);
    expect(told(second)).not.toEqual([]);
    expect(second.state.note).toBe("nobody_reachable");
  });
});

/** A random number generator with a seed. */
function random(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const upTo = (most: number) => Math.floor(next() * (most + 1));
  return {
    chance: (of: number) => next() < of,
    upTo,
    pick: <Value>(list: readonly [Value, ...Value[]]): Value => list[upTo(list.length - 1)] ?? list[0],
  };
}

/** Everyone a target covers who can be notified now, computed in the plainest possible way. */
function reference(target: StepTarget, question: Escalated, { team, ...audience }: Audience, now: number): string[] {
  const space = team.spaces.get(SPACE);
  const assignee = question.assignee_id === null ? undefined : team.people.get(question.assignee_id);
  const holder = assignee && assigneeFor(team, assignee, SPACE, now);
  const found: string[] = [];
  for (const one of team.people.values()) {
    const isHolder = one.id === holder?.id;
    const isMember = space?.members.has(one.id) === true;
    const isMeant =
      target === "assignee"
        ? isHolder
        : target === "assignee_or_members"
          ? holder
            ? isHolder
            : isMember
          : target === "members"
            ? isMember
            : target === "admins"
              ? one.role === "admin"
              : one.id === target;
    const wish = audience.wishOf(one.id);
    const wants = wish === "all" || (wish === "assigned" && (isHolder || one.id === question.assignee_id));
    const sees = one.role === "admin" || isMember;
    const may = one.status === "active" && one.role !== "viewer" && sees;
    const isSnoozing = (audience.snoozes.get(one.id) ?? 0) > now;
    const can = audience.channelsOf(one.id).length > 0 && !isAway(one, now) && !isQuiet(one, now) && !isSnoozing;
    if (isMeant && wants && may && can) found.push(one.id);
  }
  return found;
}

test("10,000 random histories: never early, never to the wrong person, never silent", () => {
  for (let seed = 1; seed <= 10_000; seed++) history(seed);
});

function history(seed: number): void {
  const { chance, upTo, pick } = random(seed);
  const people = Array.from({ length: 1 + upTo(4) }, (_, nth) =>
    person(`p${nth}`, {
      role: pick(["admin", "member", "member", "viewer"]),
      status: chance(0.1) ? "disabled" : "active",
      out_of_office_until: chance(0.2) ? T0 + upTo(120) * MINUTE : null,
      delegate_id: chance(0.3) ? `p${upTo(4)}` : null,
      quiet_hours: chance(0.3) ? JSON.stringify({ from: `${10 + upTo(3)}:00`, to: `${14 + upTo(3)}:00` }) : null,
    }),
  );
  const target = (): StepTarget =>
    pick(["assignee_or_members", "assignee", "members", "admins", "channels", `p${upTo(4)}`]);
  const steps = chance(0.4)
    ? null
    : Array.from({ length: 1 + upTo(3) }, (): Step => {
        const notify = [target(), ...(chance(0.3) ? [target()] : [])];
        return chance(0.8)
          ? { after_s: upTo(60) * 60, notify, repeats: upTo(2), every_s: 600 }
          : { before_deadline_s: 1 + upTo(900), notify };
      });
  const members = people.filter(() => chance(0.7)).map(({ id }) => id);
  const reached = new Map(people.map(({ id }) => [id, chance(0.85) ? [`${id}.phone`] : []]));
  const wishes = new Map(people.map(({ id }) => [id, pick(["all", "all", "assigned", "none"] as const)]));
  const snoozes = new Map<string, number>();
  const around = audience(teamOf(people, steps, members), {
    snoozes,
    channelsOf: (id) => reached.get(id) ?? [],
    spaceChannels: chance(0.2) ? ["space.topic"] : [],
    webhooks: chance(0.3) ? ["hook"] : [],
    wishOf: (id) => wishes.get(id) ?? "all",
  });

  const question = item({ deadline_at: chance(0.4) ? T0 + (10 + upTo(170)) * MINUTE : null });
  let state: EscalationState | null = null;
  let now = T0;
  let next: number | null = T0;
  let runBegan = T0;
  let seenUntil = T0 - 1;
  let wasTold = false;
  const about = () => `seed ${seed} at ${(now - T0) / MINUTE} min`;

  for (let turn = 0; turn < 12; turn++) {
    const happens = now + upTo(40) * MINUTE;
    if (next === null || (chance(0.4) && happens < next)) {
      if (next === null && !chance(0.7)) break;
      now = Math.max(now, happens);
      question.notify_at = now;
      const kind = pick(["claim", "release", "assign", "extend", "reopen", "snooze", "wake"] as const);
      const someone = pick(people as [TeamPerson]).id;
      if (kind === "snooze") snoozes.set(someone, now + (1 + upTo(90)) * MINUTE);
      if (kind === "wake") snoozes.delete(someone);
      if (kind === "claim") question.claim = { by: { id: "p0", name: "p0" }, at: now, expires_at: now + 30 * MINUTE };
      if (kind === "release") question.claim = null;
      if (kind === "assign") question.assignee_id = chance(0.2) ? null : pick(people as [TeamPerson]).id;
      if (kind === "extend" && question.deadline_at !== null) question.deadline_at += upTo(60) * MINUTE;
      if (kind === "reopen") {
        question.notify_step += 1;
        question.claim = null;
      }
    } else now = next;
    if (question.deadline_at !== null && now >= question.deadline_at) break;

    const before: EscalationState | null = state;
    const look = escalate(question, before, around, now);
    const persons = look.notify.flatMap(({ person_id }) => person_id ?? []);
    const isHeld = question.claim !== null && question.claim.expires_at > now;

    // Nobody who may not see it, does not want it, is away or has quiet hours.
    for (const id of persons) {
      const isAllowed =
        reference(id, question, around, now).length > 0 || reference("assignee", question, around, now).includes(id);
      expect(isAllowed, `${about()}: ${id} must not be told`).toBe(true);
    }
    expect(new Set(look.notify.map(({ channel_id }) => channel_id)).size, about()).toBe(look.notify.length);

    if (isHeld) {
      expect(persons, `${about()}: someone was told while it is claimed`).toEqual([]);
      expect(look.next_at, about()).toBe(question.claim?.expires_at);
    } else {
      const isReopened = before?.step !== question.notify_step;
      const isNewRun = isReopened || look.state.began_at !== before?.began_at || before?.claimed_at !== null;
      if (isNewRun) {
        runBegan = look.state.began_at;
        seenUntil = runBegan - 1;
        wasTold = false;
      }
      const entries = timeline(steps ?? defaults(), runBegan, question.deadline_at);
      const due = entries.filter(({ at }) => at > seenUntil && at <= now);
      const meant = (list: typeof entries) =>
        list.some(({ notify }) =>
          notify.some((one) =>
            one === "channels" ? around.spaceChannels.length > 0 : reference(one, question, around, now).length > 0,
          ),
        );
      const isRetry = !isNewRun && before?.note != null;
      const isGiven = question.assignee_id !== null && !isNewRun && before?.assignee_id !== question.assignee_id;
      const isAwake = !isNewRun && (before?.deferred.length ?? 0) > 0;
      // Whoever put it away until now is told, if they may be.
      const back = [...snoozes].filter(([, until]) => until <= now && until > seenUntil).map(([id]) => id);
      for (const id of back)
        if (reference(id, question, around, now).includes(id)) expect(persons, `${about()}: it is back`).toContain(id);
      for (const until of snoozes.values())
        if (until > now) expect(look.next_at ?? Number.POSITIVE_INFINITY, about()).toBeLessThanOrEqual(until);
      const isTold = look.notify.some(({ channel_id }) => channel_id !== "hook");

      // Never early: without a step that is due there must be another reason.
      if (due.length === 0 && !isRetry && !isGiven && !isAwake && back.length === 0)
        expect(isTold, `${about()}: told too early`).toBe(false);
      // Never silent: if a step is due and it or a later step covers someone reachable, someone is notified.
      const isAnybody = meant(due) || (due.length > 0 && meant(entries.filter(({ at }) => at > now)));
      if (due.length > 0) {
        expect(isTold, `${about()}: a step was due`).toBe(
          isAnybody || (isTold && (isGiven || isAwake || back.length > 0)),
        );
        if (!isTold) {
          expect(look.state.note, about()).not.toBeNull();
          expect(look.next_at, about()).not.toBeNull();
          expect(look.next_at ?? 0, about()).toBeLessThanOrEqual(now + RETRY_MS);
        }
      }
      // Only the next step follows, and at its own time.
      const following = entries.find(({ at }) => at > now);
      if (following) expect(look.next_at ?? Number.POSITIVE_INFINITY, about()).toBeLessThanOrEqual(following.at);
      wasTold ||= isTold;
      if (!wasTold && entries.some(({ at }) => at <= now)) expect(look.next_at, `${about()}: forgotten`).not.toBeNull();
      seenUntil = now;
    }
    if (look.next_at !== null) expect(look.next_at, about()).toBeGreaterThan(now);
    state = look.state;
    question.notify_step = look.state.step;
    next = look.next_at;
    if (next !== null) question.notify_at = next;
  }
}

function defaults(): Step[] {
  return [
    { after_s: 0, notify: ["assignee_or_members", "channels"] },
    { after_s: 900, notify: ["members"] },
    { after_s: 3_600, notify: ["admins", "channels"] },
  ];
}
