import type { Outcome } from "../../lib/protocol/ask.ts";
import type { InboxFilter, InboxItem } from "../../lib/protocol/inbox.ts";
import { isHeldBy } from "../team/holder.ts";

export const OUTCOMES = ["answered", "replied", "cancelled", "timeout"] as const satisfies Outcome[];
export const DEADLINES = ["overdue", "hour", "day", "none"] as const;
export const PERIODS = ["day", "week", "month"] as const;
export const GROUPINGS = ["none", "agent", "title", "deadline"] as const;
export const SORTS = { open: ["deadline", "newest", "oldest"], closed: ["newest", "oldest", "slowest"] } as const;

export const ASSIGNEES = ["me", "none"] as const;

type Deadline = (typeof DEADLINES)[number];
export type Period = (typeof PERIODS)[number];
export type Grouping = (typeof GROUPINGS)[number];
export type Sort = NonNullable<InboxFilter["sort"]>;

/** What the inbox shows and how. All of it is in the address. */
export type InboxView = {
  status: "open" | "closed";
  q: string;
  agent: readonly string[];
  title: readonly string[];
  /** The ids of spaces. */
  space: readonly string[];
  /** Of open questions only: those that this person has, or that nobody has. */
  assignee: (typeof ASSIGNEES)[number] | undefined;
  /** Only what the person has put away, instead of everything else. */
  snoozed: boolean;
  /** Of open questions only. */
  deadline: Deadline | undefined;
  /** Outcome, person and period apply only to settled questions. */
  outcome: readonly Outcome[];
  by: readonly string[];
  period: Period | undefined;
  sort: Sort;
  group: Grouping;
};

type Params = { get: (name: string) => string | null; getAll: (name: string) => string[] };

/** Cut to the length the API accepts, so that any address a person types still shows the inbox. */
export function readView(params: Params): InboxView {
  const isClosed = params.get("view") === "settled";
  const status = isClosed ? "closed" : "open";
  const several = (name: string, max: number) =>
    [...new Set(params.getAll(name).filter(Boolean))].slice(0, 20).map((value) => value.slice(0, max));
  const wanted = several("outcome", 20);
  return {
    status,
    q: (params.get("q") ?? "").slice(0, 200),
    agent: several("agent", 100),
    title: several("title", 200),
    space: several("space", 64),
    assignee: isClosed ? undefined : oneOf(ASSIGNEES, params.get("assignee")),
    snoozed: !isClosed && params.get("snoozed") !== null,
    deadline: isClosed ? undefined : oneOf(DEADLINES, params.get("deadline")),
    outcome: isClosed ? OUTCOMES.filter((outcome) => wanted.includes(outcome)) : [],
    by: isClosed ? several("by", 200) : [],
    period: isClosed ? oneOf(PERIODS, params.get("period")) : undefined,
    sort: oneOf(SORTS[status], params.get("sort")) ?? SORTS[status][0],
    group: oneOf(GROUPINGS, params.get("group")) ?? "none",
  };
}

/** The address of a view, without what is the default. */
export function writeView(view: InboxView): URLSearchParams {
  const { status, q, assignee, snoozed, deadline, period, sort, group } = view;
  const params = new URLSearchParams();
  if (status === "closed") params.set("view", "settled");
  if (q) params.set("q", q);
  for (const name of ["agent", "title", "space", "outcome", "by"] as const)
    for (const value of view[name]) params.append(name, value);
  if (assignee) params.set("assignee", assignee);
  if (snoozed) params.set("snoozed", "1");
  if (deadline) params.set("deadline", deadline);
  if (period) params.set("period", period);
  if (sort !== SORTS[status][0]) params.set("sort", sort);
  if (group !== "none") params.set("group", group);
  return params;
}

/** The other tab: the search, agents, titles and spaces stay; what only one of the tabs has does not. */
export function otherTab(view: InboxView, status: InboxView["status"], assignee?: InboxView["assignee"]): InboxView {
  return {
    ...readView(new URLSearchParams()),
    status,
    q: view.q,
    agent: view.agent,
    title: view.title,
    space: view.space,
    assignee,
    sort: SORTS[status][0],
  };
}

export function withoutFilters(view: InboxView): InboxView {
  return {
    ...view,
    q: "",
    agent: [],
    title: [],
    space: [],
    snoozed: false,
    deadline: undefined,
    outcome: [],
    by: [],
    period: undefined,
  };
}

export function isFiltered(view: InboxView): boolean {
  const { q, agent, title, space, snoozed, deadline, outcome, by, period } = view;
  return (
    Boolean(q || snoozed || deadline || period) ||
    [agent, title, space, outcome, by].some((values) => values.length > 0)
  );
}

const DAY_MS = 86_400_000;
const PERIOD_MS: Record<Period, number> = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS };

/** What to ask the API for. */
export function queryOf({ group: _, period, sort, status, snoozed, ...view }: InboxView, now: number) {
  return {
    ...view,
    ...(snoozed && { snoozed: "true" as const }),
    status,
    agent: some(view.agent),
    title: some(view.title),
    space: some(view.space),
    outcome: some(view.outcome),
    by: some(view.by),
    ...(sort !== SORTS[status][0] && { sort }),
    ...(period && { since: new Date(now - PERIOD_MS[period]).toISOString() }),
  };
}

/** Whether an item belongs to a view, apart from the search. `me` is the account of the reader. */
export function belongs(item: InboxItem, view: InboxView, now: number, me?: string): boolean {
  const { agent, title, space, assignee, snoozed, deadline, outcome, by, period } = view;
  const { settled, closed_at } = item;
  return (
    item.status === view.status &&
    snoozed === (item.snoozed_until !== null) &&
    (agent.length === 0 || agent.includes(item.agent)) &&
    (title.length === 0 || (item.title !== null && title.includes(item.title))) &&
    (space.length === 0 || space.includes(item.space_id)) &&
    (assignee === undefined || isHeldBy(item, assignee, me, now)) &&
    (deadline === undefined || isDue(item.deadline_at, deadline, now)) &&
    (outcome.length === 0 || (settled !== null && outcome.includes(settled.outcome))) &&
    (by.length === 0 || (settled !== null && by.includes(settled.decided_by.name))) &&
    (period === undefined || (closed_at !== null && Date.parse(closed_at) >= now - PERIOD_MS[period]))
  );
}

const WITHIN_MS = { overdue: 0, hour: 3_600_000, day: DAY_MS };

function isDue(deadline_at: string | null, within: Deadline, now: number): boolean {
  if (within === "none") return deadline_at === null;
  return deadline_at !== null && Date.parse(deadline_at) <= now + WITHIN_MS[within];
}

function some<Value>(values: readonly Value[]): Value[] | undefined {
  return values.length > 0 ? [...values] : undefined;
}

function oneOf<Value extends string>(values: readonly Value[], value: string | null): Value | undefined {
  return values.find((each) => each === value);
}
