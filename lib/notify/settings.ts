import type { TargetOf } from "../protocol/notification.ts";
import type { EmailOptions } from "./channels/email.ts";

export type SlackSettings = {
  botToken: string;
  appToken: string;
  /** A channel that receives every question. */
  channel: TargetOf<"slack"> | undefined;
  /** Where Slack's API is, for tests. */
  apiUrl?: string;
};

/** How people can be notified here: what lib/config.ts reads from the environment. */
export type NotifySettings = {
  email: EmailOptions | undefined;
  ntfy: TargetOf<"ntfy"> | undefined;
  webhook: TargetOf<"webhook"> | undefined;
  slack: SlackSettings | undefined;
  /** Hosts with private addresses that people may give as theirs. */
  privateHosts: readonly string[];
  /** Hosts of the addresses in the settings. */
  fixedHosts: readonly string[];
};
