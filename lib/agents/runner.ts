import type { Hub } from "../hub/hub.ts";
import type { Actor, Call } from "../protocol/actor.ts";
import { isParleyError } from "../protocol/errors.ts";
import { type Agent, AgentFailure } from "./agent.ts";
import { createRun, type Delta, InputTimeout } from "./run.ts";

export type RunnerOptions = {
  hub: Hub;
  agents: Agent[];
  clock: () => number;
  onDelta: (delta: Delta) => void;
  onError: (error: unknown) => void;
};

type Running = {
  abort: AbortController;
  done: Promise<void>;
  /** What its agent does first when Parley stops. */
  putAway: () => Promise<void>;
};

export type Runner = { stop: () => Promise<void>; running: () => number };

/** Runs the turns that begin in this process, each until it completes, fails or is interrupted. */
export function startRunner({ hub, agents, clock, onDelta, onError }: RunnerOptions): Runner {
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  const runs = new Map<string, Running>();
  let stopping = false;

  const start = (session_id: string, turn_id: string) => {
    const running: Running = { abort: new AbortController(), done: Promise.resolve(), putAway: async () => {} };
    runs.set(turn_id, running);
    running.done = run(session_id, turn_id, running)
      .catch(onError)
      .finally(() => runs.delete(turn_id));
  };

  const run = async (session_id: string, turn_id: string, running: Running) => {
    const { signal } = running.abort;
    const { agent: name, text: message, ...before } = await hub.openTurn(session_id, turn_id);
    const agent = byName.get(name);
    const began = clock();
    const call = (): Call => ({ actor: actorOf(name), now: clock() });
    const end = (end: Parameters<Hub["endTurn"]>[3]) => hub.endTurn(call(), session_id, turn_id, end);
    try {
      if (!agent) throw new Error(`there is no agent ${name} here`);
      const beforeStop = (putAway: Running["putAway"]) => {
        running.putAway = putAway;
      };
      const about = { hub, session_id, turn_id, message, ...before };
      await agent.run(createRun({ ...about, signal, call, onDelta, beforeStop }));
      const content = { duration_ms: clock() - began };
      await end({ status: "completed", action: "turn.ended", message: { type: "complete", content }, reason: null });
    } catch (error) {
      // An interrupted turn has ended already; one that stops with the process is taken over by the next.
      if (signal.aborted) return;
      const known = error instanceof InputTimeout || error instanceof AgentFailure || isParleyError(error);
      if (!known) onError(error);
      const code = error instanceof InputTimeout ? "input_timeout" : isParleyError(error) ? error.code : "internal";
      const text = known && error instanceof Error ? error.message : "The agent failed. The cause is in the log.";
      await end({
        status: "error",
        action: "turn.ended",
        message: { type: "error", content: { code, text } },
        reason: code,
      });
    }
  };

  const unsubscribe = hub.subscribe(({ conversation_id, started, ended }) => {
    if (ended) runs.get(ended.turn_id)?.abort.abort();
    if (started && !stopping) start(conversation_id, started.turn_id);
  });
  return {
    running: () => runs.size,
    stop: async () => {
      stopping = true;
      unsubscribe();
      await Promise.all([...runs.values()].map(({ putAway }) => putAway().catch(onError)));
      for (const { abort } of runs.values()) abort.abort();
      await Promise.all([...runs.values()].map((run) => run.done));
    },
  };
}

function actorOf(name: string): Actor {
  return { kind: "agent", name, surface: "agent", rights: ["ask", "read"] };
}
