import type { Actor } from "../protocol/actor.ts";
import { ParleyError } from "../protocol/errors.ts";
import type { Ask } from "./ask.ts";
import { isSame } from "./rights.ts";

/**
 * Checks that an agent may report what a person decided. For an irreversible question Parley must see the person, so an
 * agent can report only that it was declined.
 */
export function requireReportable(ask: Ask, agent: Actor, { settles }: { settles: boolean }): void {
  if (!isSame(agent, ask.asked_by))
    throw new ParleyError("forbidden", `${agent.name} may not report on another agent's question.`);
  if (settles && ask.irreversible)
    throw new ParleyError(
      "forbidden",
      "This question is irreversible, so a person must answer it in Parley. A report can only decline it.",
    );
}
