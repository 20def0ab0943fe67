import type { AuthContext } from "../auth/context.ts";
import type { Allowance } from "../auth/throttle.ts";
import type { Database } from "../db/database.ts";
import type { ChannelRow } from "../db/tables.ts";
import type { ChannelKind, ChannelTarget } from "../protocol/notification.ts";
import type { Slack } from "./channels/slack.ts";
import type { TargetCipher } from "./encrypt-target.ts";
import type { Channel } from "./message.ts";

/** A channel from the settings. It gets the questions of open spaces, and nobody can remove it. */
export type FixedChannel = { id: string; label: string; target: ChannelTarget; sender: Channel<ChannelTarget> };

/** How fast notifications go out. Tests are in more of a hurry than people. */
export type NotifyTiming = {
  /** How long to wait before notifying anyone, and how long while someone is using Parley. */
  holdMs: number;
  presentHoldMs: number;
  /** Pauses before each further try. */
  retriesMs: readonly number[];
  /** How long a sender may take before others take over. */
  leaseMs: number;
  /** More than `DIGEST_AT` messages for one channel within this time become one. */
  digestMs: number;
  /** How long a service may take to confirm a message while Parley stops. */
  stopMs: number;
};

export const TIMING: NotifyTiming = {
  holdMs: 2_000,
  presentHoldMs: 20_000,
  retriesMs: [10_000, 30_000, 120_000, 600_000, 1_800_000],
  leaseMs: 60_000,
  digestMs: 10_000,
  stopMs: 4_000,
};

/** Everything that notifying needs. */
export type NotifyContext = {
  db: Database;
  node: string;
  auth: AuthContext;
  cipher: TargetCipher;
  /** The kinds that are set up here. */
  kinds: { readonly [Kind in ChannelKind]?: Channel<ChannelTarget> };
  fixed: readonly FixedChannel[];
  /** Slack, if it is set up: it is also answered there. */
  slack: Slack | undefined;
  vapidPublicKey: string;
  /** How many emails may ask an address to confirm: for each person, and for each address. */
  confirmations: { byPerson: Allowance; byAddress: Allowance };
  /** Channels at which something arrived lately, and nothing failed since. */
  healthy: Set<string>;
  /** Where people open Parley. */
  publicUrl: () => string;
  /** Whether a person has this ask on their screen. */
  isLooking: (person_id: string, ask: { conversation_id: string; tool_use_id: string }) => boolean;
  timing: NotifyTiming;
  clock: () => number;
  onError: (error: unknown) => void;
};

/**
 * Whether questions can be sent to a channel. An email address or a Slack account must be confirmed first, so that nobody can
 * have questions sent to someone else.
 */
export function isUsable({ kinds }: Pick<NotifyContext, "kinds">, channel: ChannelRow): boolean {
  return channel.disabled_at === null && kinds[channel.kind] !== undefined && channel.unconfirmed_since === null;
}
