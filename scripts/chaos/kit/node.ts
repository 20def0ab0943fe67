import { type Database, openDatabase } from "../../../lib/db/database.ts";
import type { Team } from "../../../lib/domain/team.ts";
import { createHub, type Hub } from "../../../lib/hub/hub.ts";
import { AUDIT_KEY } from "../../../lib/hub/test-hub.ts";
import type { Actor, Call } from "../../../lib/protocol/actor.ts";
import { DEFAULT_LIMITS, type Limits } from "../../../lib/protocol/limits.ts";
import { root } from "../../setup/root.mjs";
import { PATIENT_S } from "../../throwaway/database.ts";

/** The start of virtual time. */
export const START = Date.UTC(2026, 0, 1);

/** A hub with its own database connection. Two of them on one database are nodes that share nothing but the rows. */
export type Node = {
  hub: Hub;
  db: Database;
  /** Errors of background work. */
  errors: unknown[];
  close: () => Promise<void>;
};

export type NodeOptions = {
  limits?: Partial<Limits>;
  /** By default it stands still in 1970, so deadlines pass only through `hub.expire`. */
  clock?: () => number;
  /** By default as rare as a timer can be: the sweep wakes nobody. */
  sweepMs?: number;
  /** Who has an account; nobody by default. */
  team?: () => Team;
  /** Puts a fault between the hub and its database. */
  wrap?: (db: Database) => Database;
};

export const NEVER_SWEEP_MS = 2 ** 31 - 1;

export async function openNode(
  url: string,
  { limits, clock = () => 0, sweepMs = NEVER_SWEEP_MS, team, wrap = (db) => db }: NodeOptions = {},
): Promise<Node> {
  const opened = await openDatabase({ url, root, timeoutS: PATIENT_S });
  const db = wrap(opened);
  const errors: unknown[] = [];
  const hub = createHub({
    db,
    auditKey: AUDIT_KEY,
    maxQueue: 8,
    skillsFolder: ".claude/skills",
    limits: { ...DEFAULT_LIMITS, maxPerMinute: 0, maxOpen: 0, ...limits },
    clock,
    sweepMs,
    ...(team && { team }),
    // When these scenarios report a fault, the change is already stored or never will be.
    lookAgainMs: [0],
    onError: (error) => errors.push(error),
  });
  const close = async () => {
    await hub.stop();
    await opened.close();
  };
  return { hub, db, errors, close };
}

/** Opens one node per entry of `options` and always closes them. Failed background work fails the run. */
export async function withNodes<Result>(
  url: string,
  options: NodeOptions[],
  work: (nodes: Node[]) => Promise<Result>,
): Promise<Result> {
  const nodes: Node[] = [];
  const run = async () => {
    for (const each of options) nodes.push(await openNode(url, each));
    return work(nodes);
  };
  const result = await run().finally(() => Promise.all(nodes.map((node) => node.close())));
  const errors = nodes.flatMap((node) => node.errors);
  if (errors.length > 0) throw new AggregateError(errors, `Background work failed: ${errors.map(String).join("; ")}`);
  return result;
}

export function person(name: string): Actor {
  return { kind: "person", name, surface: "rest", rights: ["ask", "answer", "read"] };
}

export function agent(name: string): Actor {
  return { kind: "agent", name, surface: "mcp", rights: ["ask", "read"] };
}

export function by(actor: Actor, now = START): Call {
  return { actor, now };
}
