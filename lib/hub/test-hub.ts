import type { Database } from "../db/database.ts";
import type { Actor, Call } from "../protocol/actor.ts";
import { DEFAULT_LIMITS, type Limits } from "../protocol/limits.ts";
import { auditKeyOf } from "./audit/key.ts";
import { createHub, type Hub, type HubOptions } from "./hub.ts";

// A hub on its own database, for tests.

export const PERSON: Actor = { kind: "person", name: "ann", surface: "browser", rights: ["answer", "read"] };
export const AGENT: Actor = { kind: "agent", name: "builder", surface: "rest", rights: ["ask", "read"] };

/** All hubs of a test share it, as the nodes of an installation do. */
export const AUDIT_KEY = auditKeyOf("a key for tests, and for nothing else");

export const byPerson = (now = Date.now(), name = "ann"): Call => ({ actor: { ...PERSON, name }, now });
export const byAgent = (now = Date.now()): Call => ({ actor: AGENT, now });
/** The same agent, which may say what a person decided in its own terminal. */
export const byReporter = (now = Date.now()): Call => ({
  actor: { ...AGENT, rights: [...AGENT.rights, "report"] },
  now,
});

/**
 * Errors of the background work fail the test that caused them. A hub that is left running when its database closes fails it
 * too: whether its background work still ran would be a matter of chance.
 */
export function testHub(
  db: Database,
  options: Partial<Omit<HubOptions, "db" | "limits">> & { limits?: Partial<Limits> } = {},
): Hub {
  const { limits, clock = Date.now, ...rest } = options;
  const hub = createHub({
    db,
    auditKey: AUDIT_KEY,
    limits: { ...DEFAULT_LIMITS, ...limits },
    maxQueue: 8,
    skillsFolder: ".claude/skills",
    clock,
    patienceMs: 60_000,
    onError: (error) => {
      throw error;
    },
    ...rest,
  });
  let isStopped = false;
  const stop = async () => {
    isStopped = true;
    await hub.stop();
  };
  const { close } = db;
  db.close = async () => {
    await close();
    if (!isStopped) throw new Error("This test closes the database of a hub that still runs: stop the hub first.");
  };
  return { ...hub, stop };
}

export const CHOICE = {
  question_text: "Which way?",
  type: "multiple_choice",
  options: [
    { id: "a", label: "A", default: true },
    { id: "b", label: "B" },
  ],
};
