import { stripControls } from "../../domain/clean-text.ts";
import type { DecidedBy, Provenance } from "../../protocol/actor.ts";

/** How Parley knows who it was. That of a browser needs no words: the surface says it already. */
const PROVENANCE: Record<Exclude<Provenance, "browser">, string> = {
  sign_in: "signed in",
  passkey: "signed in with a passkey",
  api_key: "with an API key",
  slack: "in Slack",
  none: "through a program",
  reported: "reported by the agent's terminal",
};

/** Where someone decided, and how Parley knows. */
export function whereOf({ surface, provenance }: DecidedBy): string {
  return provenance === undefined || provenance === "browser" ? surface : `${surface}, ${PROVENANCE[provenance]}`;
}

/** Who decided, where, and how Parley knows. */
export function whoOf(by: DecidedBy): string {
  return `${stripControls(by.name)}, ${whereOf(by)}`;
}
