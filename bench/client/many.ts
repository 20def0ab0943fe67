import { type Quantiles, quantiles } from "../statistics.ts";
import { Connection, type Reply } from "./connection.ts";
import { answerBody, askBody, expect, waitPath } from "./requests.ts";

/** `count` asks with ids that begin with `prefix`, spread over the sessions in turn. */
export type Batch = { port: number; sessions: string[]; prefix: string; from?: number; count: number; askers: number };

export function askMany(many: Batch): Promise<Quantiles> {
  return each(many, (connection, session, id) => connection.post("/api/asks", askBody(session, id)), 201);
}

export function answerMany(many: Batch): Promise<Quantiles> {
  return each(many, (connection, session, id) => connection.post("/api/task/answer", answerBody(session, id)), 200);
}

/** Reads the same page over and over with one client. Returns milliseconds. */
export async function readMany({ port, path, count }: { port: number; path: string; count: number }) {
  const connection = await Connection.open(port);
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const from = performance.now();
    expect(await connection.get(path), 200);
    times.push(performance.now() - from);
  }
  connection.close();
  return quantiles(times);
}

const waits: Connection[] = [];

/** Opens a waiting call for each ask and leaves it open. */
export async function openWaits({ port, sessions, prefix, count }: Omit<Batch, "askers">): Promise<void> {
  for (let n = 0; n < count; n++) {
    const connection = await Connection.open(port);
    waits.push(connection);
    const waiting = connection.get(waitPath(sessions[n % sessions.length] ?? "", `${prefix}_${n}`));
    waiting.then((reply) => expect(reply, 200)).catch(() => {});
  }
}

export async function closeWaits(): Promise<void> {
  for (const connection of waits.splice(0)) connection.close();
}

async function each(
  { port, sessions, prefix, from = 0, count, askers }: Batch,
  send: (connection: Connection, session: string, id: string) => Promise<Reply>,
  status: number,
): Promise<Quantiles> {
  const times: number[] = [];
  let next = from;
  const one = async () => {
    const connection = await Connection.open(port);
    for (let n = next++; n < from + count; n = next++) {
      const sent = performance.now();
      expect(await send(connection, sessions[n % sessions.length] ?? "", `${prefix}_${n}`), status);
      times.push(performance.now() - sent);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: askers }, one));
  return quantiles(times);
}
