import { type Quantiles, quantiles } from "../statistics.ts";
import { Connection } from "./connection.ts";
import { answerBody, askBody, expect, waitPath } from "./requests.ts";

export type RoundTrips = {
  port: number;
  askers: number;
  /** Spread over the askers in turn: with one session per asker, each asker keeps its own. */
  sessions: string[];
  /** Whichever limit is reached first ends the slice. */
  ms: number;
  max?: number;
  /** Prefix of the ids in this slice, which are never reused. */
  prefix: string;
  /** Pause between the wait and the answer, so that a single wait has surely begun. */
  pauseMs: number;
};
/** In milliseconds. `ask`: until it is acknowledged. `answer`: from sending it until the waiting call returns. */
export type Slice = { count: number; perSecond: number; ask: Quantiles; answer: Quantiles };

/** The job, repeated by every asker at once: ask, wait, answer, and the wait returns. */
export async function roundTrips(options: RoundTrips): Promise<Slice> {
  const { port, askers, sessions, ms, max = Number.POSITIVE_INFINITY, prefix, pauseMs } = options;
  const ask: number[] = [];
  const answer: number[] = [];
  const pairs = await Promise.all(
    Array.from({ length: askers }, () => Promise.all([Connection.open(port), Connection.open(port)])),
  );
  const from = performance.now();

  const asker = async ([asking, answering]: [Connection, Connection], index: number) => {
    for (let n = 0; performance.now() - from < ms && answer.length < max; n++) {
      const session = sessions[(index + n * askers) % sessions.length] ?? "";
      const id = `${prefix}_${index}_${n}`;
      const asked = performance.now();
      expect(await asking.post("/api/asks", askBody(session, id)), 201);
      ask.push(performance.now() - asked);
      const waiting = asking.get(waitPath(session, id));
      await pause(pauseMs);
      const sent = performance.now();
      const posted = answering.post("/api/task/answer", answerBody(session, id));
      const result = expect(await waiting, 200);
      answer.push(performance.now() - sent);
      if (!result.body.includes('"status":"answered"')) throw new Error(`not answered: ${result.body.toString()}`);
      expect(await posted, 200);
    }
    asking.close();
    answering.close();
  };

  await Promise.all(pairs.map(asker));
  return {
    count: answer.length,
    perSecond: (answer.length / (performance.now() - from)) * 1_000,
    ask: quantiles(ask),
    answer: quantiles(answer),
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (ms === 0) setImmediate(resolve);
    else setTimeout(resolve, ms);
  });
}
