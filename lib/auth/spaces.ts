import { parseJson, toJson } from "../db/json.ts";
import type { SpaceRow } from "../db/tables.ts";
import type { SpaceWithMembers } from "../db/team/read.ts";
import { insertMember, insertSpace, removeMembers, updateSpace as updateRow } from "../db/team/statements.ts";
import { invalidRequest } from "../domain/read-input.ts";
import { decidedBy, scopeOf } from "../domain/rights.ts";
import type { Actor } from "../protocol/actor.ts";
import { newId } from "../protocol/ids.ts";
import {
  DEFAULT_STEPS,
  EVERYONE,
  type NewSpace,
  type SpaceChange,
  type SpaceView,
  type Step,
} from "../protocol/space.ts";
import { type AuthContext, change, noSuch } from "./context.ts";

/** The spaces that the caller sees, by name. */
export function listSpaces(ctx: AuthContext, actor: Actor): SpaceView[] {
  const scope = scopeOf(actor);
  const isSeen = ({ id }: SpaceWithMembers) => scope === "all" || ("spaces" in scope && scope.spaces.includes(id));
  return ctx.directory.spaces.filter(isSeen).map(spaceView);
}

export async function createSpace(ctx: AuthContext, actor: Actor, given: NewSpace, now: number): Promise<SpaceView> {
  const { name, open = false, requires_second_person = false, members = [], steps = null, detail = "full" } = given;
  requireFreeName(ctx, name);
  requirePeople(ctx, members);
  requireStepPeople(ctx, steps);
  const space: SpaceRow = {
    id: newId("space", now),
    name,
    open,
    requires_second_person,
    steps: steps && toJson(steps),
    detail,
    created_at: now,
    archived_at: null,
  };
  const statements = [insertSpace(space), ...members.map((id) => member(space.id, id, now))];
  const after = { space_id: space.id, name, open, requires_second_person, members };
  if (!(await change(ctx, statements, { action: "space.created", actor: decidedBy(actor), at: now, after })))
    throw nameTaken();
  return spaceView({ ...space, members });
}

export async function updateSpace(
  ctx: AuthContext,
  actor: Actor,
  id: string,
  { members, archived, steps, ...given }: SpaceChange,
  now: number,
): Promise<SpaceView> {
  const space = ctx.directory.spaces.find((one) => one.id === id);
  if (!space) throw noSuch("space", id);
  if (given.name !== undefined && given.name !== space.name) requireFreeName(ctx, given.name);
  if (members) requirePeople(ctx, members);
  requireStepPeople(ctx, steps);
  if (id === EVERYONE && (given.open === false || archived))
    throw invalidRequest([
      {
        path: given.open === false ? "open" : "archived",
        message: "cannot be changed: this space is always open to everyone",
      },
    ]);
  const set: Partial<SpaceRow> = {
    ...given,
    ...(steps !== undefined && { steps: steps && toJson(steps) }),
    ...(archived !== undefined && { archived_at: archived ? now : null }),
  };
  const statements = [
    ...(Object.keys(set).length > 0 ? [updateRow(id, set)] : []),
    ...(members ? [removeMembers(id), ...[...new Set(members)].map((person_id) => member(id, person_id, now))] : []),
  ];
  const { name, open, requires_second_person } = space;
  const event = {
    action: "space.changed" as const,
    actor: decidedBy(actor),
    at: now,
    before: { space_id: id, name, open, requires_second_person, members: space.members, ...notified(space) },
    after: {
      space_id: id,
      ...given,
      ...(steps !== undefined && { steps }),
      ...(members && { members }),
      ...(archived !== undefined && { archived }),
    },
  };
  if (!(await change(ctx, statements, event))) throw nameTaken();
  const changed = ctx.directory.spaces.find((one) => one.id === id);
  return spaceView(changed ?? space);
}

function member(space_id: string, person_id: string, created_at: number) {
  return insertMember({ space_id, person_id, created_at });
}

function requireFreeName(ctx: AuthContext, name: string): void {
  if (ctx.directory.spaces.some((space) => space.name.toLowerCase() === name.toLowerCase())) throw nameTaken();
}

function requireStepPeople(ctx: AuthContext, steps: Step[] | null | undefined): void {
  const ids = (steps ?? []).flatMap(({ notify }) => notify.filter((target) => target.startsWith("per_")));
  const unknown = ids.find((id) => !ctx.directory.person(id));
  if (unknown !== undefined)
    throw invalidRequest([{ path: "steps", message: `${unknown} is not a person of this team` }]);
}

/** How people are notified of the questions of a space. */
function notified({ steps, detail }: Pick<SpaceRow, "steps" | "detail">) {
  return { steps: parseJson(steps) ?? DEFAULT_STEPS, detail };
}

const nameTaken = () => invalidRequest([{ path: "name", message: "is taken by another space" }]);

function requirePeople(ctx: AuthContext, ids: string[]): void {
  const unknown = ids.find((id) => !ctx.directory.person(id));
  if (unknown !== undefined)
    throw invalidRequest([{ path: "members", message: `${unknown} is not a person of this team` }]);
}

function spaceView({ archived_at, created_at, members, ...space }: SpaceWithMembers): SpaceView {
  return {
    ...space,
    open: Boolean(space.open),
    requires_second_person: Boolean(space.requires_second_person),
    members: space.open ? [] : members,
    ...notified(space),
    archived: archived_at !== null,
    created_at: new Date(created_at).toISOString(),
  };
}
