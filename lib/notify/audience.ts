import type { Audience } from "../domain/escalation.ts";
import { LOCAL, type Team } from "../domain/team.ts";
import { isUsable, type NotifyContext } from "./context.ts";

/** Who there is to tell. While nobody has an account, that is the one person who uses this Parley. */
export function teamOf({ auth: { directory } }: Pick<NotifyContext, "auth">): Team {
  if (directory.mode !== "open") return directory.team;
  return { ...directory.team, people: new Map([[LOCAL.id, LOCAL]]) };
}

/** Whether anyone can be notified at all. */
export function hasChannels(ctx: NotifyContext): boolean {
  return ctx.fixed.length > 0 || ctx.auth.directory.channels.some((channel) => isUsable(ctx, channel));
}

/**
 * Who could be notified about one ask. Channels from settings get only what everyone may see; a space with members has its
 * own channels.
 */
export function audienceOf(
  ctx: NotifyContext,
  ask: { space_id: string; conversation_id: string; tool_use_id: string },
  snoozes: Audience["snoozes"],
): Audience {
  const { directory } = ctx.auth;
  const team = teamOf(ctx);
  const usable = directory.channels.filter((channel) => isUsable(ctx, channel));
  const isOpen = team.spaces.get(ask.space_id)?.open ?? false;
  const ofSpace = [
    ...usable.filter(({ space_id }) => space_id === ask.space_id),
    ...(isOpen ? ctx.fixed.map(({ id, target: { kind } }) => ({ id, kind })) : []),
  ];
  const spaceChannels = ofSpace.filter(({ kind }) => kind !== "webhook").map(({ id }) => id);
  // While nobody has an account, every channel reaches the one person there is: what they put away is away there too.
  const isPutAway = directory.mode === "open" && snoozes.size > 0;
  return {
    team,
    channelsOf: (person_id) => [
      ...usable.filter((one) => one.person_id === person_id).map(({ id }) => id),
      ...(isPutAway ? spaceChannels : []),
    ],
    spaceChannels: isPutAway ? [] : spaceChannels,
    webhooks: ofSpace.filter(({ kind }) => kind === "webhook").map(({ id }) => id),
    wishOf: (person_id) => directory.wishOf(ask.space_id, person_id),
    isLooking: (person_id) => ctx.isLooking(person_id, ask),
    snoozes,
  };
}

/** The kind of a channel, from the settings or not; undefined if it is gone. */
export function kindOf({ fixed, auth }: NotifyContext, channel_id: string) {
  return (
    fixed.find(({ id }) => id === channel_id)?.target.kind ??
    auth.directory.channels.find(({ id }) => id === channel_id)?.kind
  );
}
