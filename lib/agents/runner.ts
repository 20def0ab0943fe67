import { setTimeout as sleep } from "node:timers/promises";
import { identifyBuiltInAgent } from "../auth/identify.ts";
import { every } from "../hub/background/every.ts";
import { isOutage } from "../hub/commit.ts";
import type { Hub } from "../hub/hub.ts";
import type { TurnEnd } from "../hub/turns/end-turn.ts";
import { type Call, SYSTEM } from "../protocol/actor.ts";
import { isParleyError } from "../protocol/errors.ts";
import { type Agent, AgentFailure } from "./agent.ts";
import { createRun, type Delta, InputTimeout } from "./run.ts";

export type RunnerOptions = {
  hub: Hub;
  agents: Agent[];
  clock: () => number;
  onDelta: (delta: Delta) => void;
  /** This node writes nothing more for the turn: an unfinished block stays unfinished. */
  onOver?: (conversation_id: string, turn_id: string) => void;
  onError: (error: unknown) => void;
  /** Whether the person who started the agent may still run it. */
  mayRun?: (agent: string, started_by: string | null) => boolean;
  /** How often to compare the runs with the rows and to look for dead nodes. */
  everyMs?: number;
};

type Running = {
  conversation_id: string;
  /** Whether who started it may still run the agent. */
  isAllowed: () => boolean;
  abort: AbortController;
  done: Promise<void>;
  /** Runs first when Parley stops. */
  park: () => Promise<void>;
};

export type Runner = {
  /** Who may run agents has changed. */
  endNotAllowed: () => Promise<void>;
  /** Another node changed this conversation: it may have stopped a turn that runs here. */
  check: (conversation_id: string) => Promise<void>;
  stop: () => Promise<void>;
};

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/**
 * How long to wait for agents when Parley stops. Together with everything else a stop does, this is less than the ten
 * seconds that supervisors usually allow.
 */
const STOP_MS = 3_500;

/**
 * Runs the turns of this node, each until it completes, fails or is stopped. The rows are authoritative: the runner starts
 * turns that this node owns and does not run, and stops runs whose turn it does not own, whatever events it missed.
 */
export function startRunner(options: RunnerOptions): Runner {
  const { hub, agents, clock, onDelta, onOver = () => {}, onError, everyMs = 2_000 } = options;
  const { mayRun = () => true } = options;
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  const runs = new Map<string, Running>();
  /** Turns that could neither run nor end. Only another process tries them again. */
  const stuck = new Set<string>();
  let stopping = false;

  const start = (conversation_id: string, turn_id: string) => {
    if (stopping || runs.has(turn_id) || stuck.has(turn_id)) return;
    const abort = new AbortController();
    const running: Running = {
      conversation_id,
      isAllowed: () => true,
      abort,
      done: Promise.resolve(),
      park: async () => {},
    };
    runs.set(turn_id, running);
    running.done = run(conversation_id, turn_id, running)
      .catch((error) => {
        stuck.add(turn_id);
        onError(error);
      })
      .finally(() => {
        runs.delete(turn_id);
        onOver(conversation_id, turn_id);
      });
  };

  const stopRun = (turn_id: string) => {
    const running = runs.get(turn_id);
    if (!running) return;
    running.abort.abort();
    onOver(running.conversation_id, turn_id);
  };

  const run = async (conversation_id: string, turn_id: string, running: Running) => {
    const { signal } = running.abort;
    const patiently = <Result>(work: () => Promise<Result>) => keepTrying(work, signal, onError);
    let actor = SYSTEM;
    const call = (): Call => ({ actor, now: clock() });
    let raw_event: unknown;
    /** Retries until the end is stored: otherwise the turn would appear to run forever. */
    const end = async (how: TurnEnd) => {
      const store = (how: TurnEnd) =>
        patiently(() => hub.endTurn(call(), conversation_id, turn_id, { ...how, owner: hub.node }));
      await store({ ...how, message: { ...how.message, raw_event } }).catch((error) => {
        onError(error);
        // The database would refuse the same message again (a character it cannot store): end the turn without it.
        return store(failure("internal", FAILED));
      });
    };
    const openTurn = async () => {
      try {
        return await patiently(() => hub.openTurn(conversation_id, turn_id));
      } catch (error) {
        onError(error);
        await end(failure("internal", UNREADABLE));
        return undefined;
      }
    };
    const opened = await openTurn();
    if (!opened || signal.aborted) return;
    const { agent: name, text: message, started_by, ...before } = opened;
    actor = identifyBuiltInAgent(name);
    running.isAllowed = () => mayRun(name, started_by);
    const agent = byName.get(name);
    const began = performance.now();
    try {
      if (!agent) throw new Error(`there is no agent ${name} here`);
      if (!running.isAllowed()) throw new AgentFailure(NOT_ALLOWED);
      const beforeStop = (park: Running["park"]) => {
        running.park = park;
      };
      const onLost = () => stopRun(turn_id);
      const onEnded = (event: unknown) => {
        raw_event = event;
      };
      const about = { hub, conversation_id, turn_id, message, ...before };
      await agent.run(createRun({ ...about, signal, call, onDelta, onEnded, onLost, patiently, beforeStop }));
      if (signal.aborted) return;
      const content = { duration_ms: Math.round(performance.now() - began) };
      await end({ status: "completed", action: "turn.ended", message: { type: "complete", content }, reason: null });
    } catch (error) {
      // A stopped turn has ended already; one that stops with the process is taken over by the next process.
      if (signal.aborted) return;
      const known = error instanceof InputTimeout || error instanceof AgentFailure || isParleyError(error);
      if (!known) onError(error);
      const code = error instanceof InputTimeout ? "input_timeout" : isParleyError(error) ? error.code : "internal";
      await end(failure(code, known && error instanceof Error ? error.message : FAILED));
    }
  };

  const unsubscribe = hub.subscribe(({ conversation_id, started, ended }) => {
    if (ended) stopRun(ended.turn_id);
    if (started) start(conversation_id, started.turn_id);
  });

  /** Ends the turns of those who may no longer run their agent. */
  const endNotAllowed = async () => {
    const call = { actor: SYSTEM, now: clock() };
    const end: TurnEnd = { ...failure("forbidden", NOT_ALLOWED), status: "interrupted" };
    for (const [turn_id, { conversation_id, isAllowed }] of runs)
      if (!isAllowed()) await hub.endTurn(call, conversation_id, turn_id, { ...end, owner: hub.node });
  };

  const compare = async () => {
    await endNotAllowed();
    const before = [...runs.keys()];
    const owned = await hub.takeOver({ actor: SYSTEM, now: clock() });
    const ids = new Set(owned.map(({ turn_id }) => turn_id));
    for (const turn_id of before) if (!ids.has(turn_id)) stopRun(turn_id);
    for (const { conversation_id, turn_id } of owned) start(conversation_id, turn_id);
  };
  // Not at once: at the start, the hub takes over before anything is compared.
  const comparing = every({ everyMs, firstMs: everyMs, onError }, compare);

  return {
    endNotAllowed,
    check: async (conversation_id) => {
      for (const [turn_id, run] of runs)
        if (run.conversation_id === conversation_id && !(await hub.runsTurn(turn_id))) stopRun(turn_id);
    },
    stop: async () => {
      stopping = true;
      hub.retire();
      const compared = comparing.stop();
      unsubscribe();
      const ended = async () => {
        await Promise.all([...runs.values()].map(({ park }) => park().catch(onError)));
        for (const { abort } of runs.values()) abort.abort();
        await Promise.all([compared, ...[...runs.values()].map((run) => run.done)]);
      };
      let patience: NodeJS.Timeout | undefined;
      const enough = new Promise((resolve) => {
        patience = setTimeout(resolve, STOP_MS);
      });
      await Promise.race([ended(), enough]);
      clearTimeout(patience);
      for (const { abort } of runs.values()) abort.abort();
    },
  };
}

const NOT_ALLOWED =
  "This agent was stopped: an admin turned it off, or the person who started it may no longer run it.";
const FAILED = "The agent failed. The cause is in the log.";
const UNREADABLE = "The agent could not read the conversation. The cause is in the log.";

function failure(code: string, text: string): TurnEnd {
  const content = { code, text };
  return { status: "error", action: "turn.ended", message: { type: "error", content }, reason: code };
}

/** Retries with growing pauses while the database is away, until the signal aborts (undefined). Other errors would only come again. */
async function keepTrying<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<Result | undefined> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!isOutage(error)) throw error;
      onError(error);
    }
    await sleep(pause, undefined, { signal }).catch(() => {});
    if (signal.aborted) return undefined;
  }
}
