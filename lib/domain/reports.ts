import type { Actor } from "../protocol/actor.ts";
import { ParleyError } from "../protocol/errors.ts";
import type { Ask } from "./ask.ts";
import { isSame } from "./rights.ts";

/**
 * Whether an agent may report what a person decided. What cannot be undone needs a person whom Parley can see: an agent may
 * only report that such a question was declined.
 */
export function requireReportable(ask: Ask, agent: Actor, { settles }: { settles: boolean }): void {
  if (!isSame(agent, ask.asked_by))
    throw new ParleyError("forbidden", `${agent.name} may not report on a question that somebody else asked.`);
  if (settles && ask.irreversible)
    throw new ParleyError(
      "forbidden",
      "This question is irreversible, so it is answered in Parley and never by a report.",
    );
}
