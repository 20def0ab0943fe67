import { quantiles } from "../statistics.ts";
import { Connection } from "./connection.ts";
import { askBody, expect } from "./requests.ts";
import type { RoundTrips, Slice } from "./round-trips.ts";
import { SocketConnection } from "./socket.ts";

const ASKED = "assistant.request_input";
const REPLAYED = "message.replay";

/** A watcher that has caught up, and the callback for the next question. */
class Watcher {
  readonly #socket: SocketConnection;
  readonly #session: string;
  readonly #hear: { asked: (packet: Buffer) => void };

  private constructor(socket: SocketConnection, session: string, hear: { asked: (packet: Buffer) => void }) {
    this.#socket = socket;
    this.#session = session;
    this.#hear = hear;
  }

  static async open(port: number, session: string): Promise<Watcher> {
    const hear = { asked: (_packet: Buffer) => {} };
    let ready = () => {};
    const caughtUp = new Promise<void>((resolve) => {
      ready = resolve;
    });
    const socket = await SocketConnection.open(port, `conversation_id=${session}`, (name, packet) => {
      if (name === REPLAYED && isLast(packet)) ready();
      else if (name === ASKED) hear.asked(packet);
    });
    socket.enter();
    await caughtUp;
    return new Watcher(socket, session, hear);
  }

  asked(): Promise<Buffer> {
    return new Promise((resolve) => {
      this.#hear.asked = resolve;
    });
  }

  async answer(id: string): Promise<void> {
    const answer = `{"conversation_id":"${this.#session}","question_id":"${id}","answer":"option_1"}`;
    const reply = await this.#socket.emit("user.input_response", answer);
    if (!reply.includes('"ok":true')) throw new Error(reply.toString());
  }

  close(): void {
    this.#socket.close();
  }
}

/**
 * An agent asks and waits in one call. The question reaches a watching socket, is answered there, and the call
 * returns. `ask`: until the watcher has it. `answer`: from sending it until the agent has it.
 */
export async function socketTrips(options: Omit<RoundTrips, "pauseMs">): Promise<Slice> {
  const { port, askers, sessions, ms, max = Number.POSITIVE_INFINITY, prefix } = options;
  const ask: number[] = [];
  const answer: number[] = [];
  // All of them watch even if only one asks, because each socket may send only so many commands per second.
  const watchers = await Promise.all(sessions.map((session) => Watcher.open(port, session)));
  const agents = await Promise.all(Array.from({ length: askers }, () => Connection.open(port)));
  const from = performance.now();

  const asker = async (agent: Connection, index: number) => {
    for (let n = 0; performance.now() - from < ms && answer.length < max; n++) {
      const which = (index + n * askers) % sessions.length;
      const watcher = watchers[which] as Watcher;
      const id = `${prefix}_${index}_${n}`;
      const seen = watcher.asked();
      const asked = performance.now();
      const resumed = agent.post("/api/asks", askBody(sessions[which] ?? "", id, 55));
      const packet = await Promise.race([seen, refusal(resumed)]);
      ask.push(performance.now() - asked);
      if (!packet.includes(id)) throw new Error(`the watcher got another question than ${id}`);
      const sent = performance.now();
      const taken = watcher.answer(id);
      const result = expect(await resumed, 201);
      answer.push(performance.now() - sent);
      if (!result.body.includes('"status":"answered"')) throw new Error(`not answered: ${result.body.toString()}`);
      await taken;
    }
    agent.close();
  };

  await Promise.all(agents.map(asker));
  const seconds = (performance.now() - from) / 1_000;
  for (const watcher of watchers) watcher.close();
  return { count: answer.length, perSecond: answer.length / seconds, ask: quantiles(ask), answer: quantiles(answer) };
}

/** Rejects if the call returns before the watcher has the question. Never resolves. */
async function refusal(resumed: Promise<{ status: number; body: Buffer }>): Promise<never> {
  expect(await resumed, 201);
  return new Promise(() => {});
}

/** Keyed by the port of their server. */
const watching = new Map<number, Watcher[]>();

/** Opens this many sockets, spread over the sessions in turn, and leaves them open. */
export async function openWatchers(options: { port: number; sessions: string[]; count: number }): Promise<void> {
  const { port, sessions, count } = options;
  const opened: Watcher[] = [];
  watching.set(port, opened);
  let next = 0;
  const opener = async () => {
    for (let n = next++; n < count; n = next++)
      opened.push(await Watcher.open(port, sessions[n % sessions.length] ?? ""));
  };
  await Promise.all(Array.from({ length: 16 }, opener));
}

/** Asks one question that every watcher receives. Returns the time until the last one has it, and its packet. */
export async function broadcast({ port, session, id }: { port: number; session: string; id: string }) {
  const agent = await Connection.open(port);
  const watchers = watching.get(port) ?? [];
  const seen = Promise.all(watchers.map((watcher) => watcher.asked()));
  const from = performance.now();
  const resumed = agent.post("/api/asks", askBody(session, id, 55));
  const [packet] = await Promise.race([seen, refusal(resumed)]);
  const ms = performance.now() - from;
  const sample = packet?.toString() ?? "";
  await watchers[0]?.answer(id);
  expect(await resumed, 201);
  agent.close();
  return { ms, sample };
}

export async function closeWatchers({ port }: { port: number }): Promise<void> {
  for (const watcher of watching.get(port) ?? []) watcher.close();
  watching.delete(port);
}

/** Replays a thread from its beginning. Returns the milliseconds until the first and the last page. */
export async function replay({ port, session }: { port: number; session: string }) {
  let first = 0;
  let bytes = 0;
  let from = 0;
  let finish = () => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const socket = await SocketConnection.open(port, `conversation_id=${session}`, (name, packet) => {
    if (name !== REPLAYED) return;
    first ||= performance.now() - from;
    bytes += packet.length;
    if (isLast(packet)) finish();
  });
  from = performance.now();
  socket.enter();
  await done;
  const all = performance.now() - from;
  socket.close();
  return { first, all, bytes };
}

/** The last page has `done` set. */
function isLast(packet: Buffer): boolean {
  return packet.subarray(-120).includes('"done":true');
}
