import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The state of the link to PostgreSQL: it works, loses everything as if the machine were dead, or refuses connections. */
export type LinkState = "up" | "silent" | "down";

/**
 * Sits between Parley and PostgreSQL and fails like a network: it falls silent, breaks on one side only, or loses the reply
 * to a commit. It recognises connections by their `application_name`.
 */
export type PostgresProxy = {
  url: string;
  set: (state: LinkState) => void;
  /** Breaks these connections on Parley's side only; PostgreSQL does not notice. Returns how many there were. */
  breakOneSide: (name: string) => number;
  /** Breaks the connection after its next statement is done and before the reply arrives. */
  loseNextReply: (name: string) => void;
  /** How many replies were lost so far. */
  lost: () => number;
  close: () => Promise<void>;
};

type Link = { name: string; near: Socket; far: Socket; losesReply: boolean };

/** The end of every reply of PostgreSQL: ReadyForQuery. */
const READY = Buffer.from("Z\0\0\0\x05", "latin1");

export async function postgresProxy(postgresUrl: string): Promise<PostgresProxy> {
  const target = new URL(postgresUrl);
  const links = new Set<Link>();
  let state: LinkState = "up";
  let losing: string | undefined;
  let lost = 0;

  const cut = ({ near, far }: Link) => {
    near.destroy();
    far.destroy();
  };
  const join = (near: Socket) => {
    if (state === "down") return void near.destroy();
    const far = connect(Number(target.port || 5432), target.hostname);
    const link: Link = { name: "", near, far, losesReply: false };
    links.add(link);
    near.on("data", (data) => {
      link.name ||= /application_name\0([^\0]*)/.exec(data.toString("latin1"))?.[1] ?? "";
      if (losing === link.name && state === "up") {
        link.losesReply = true;
        losing = undefined;
      }
      if (state === "up") far.write(data);
    });
    far.on("data", (data) => {
      if (state !== "up") return;
      if (!link.losesReply) return void near.write(data);
      if (!data.includes(READY)) return;
      lost++;
      cut(link);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("error", () => {});
      one.on("close", () => {
        // A dead machine says no goodbye either.
        if (state !== "silent") other.destroy();
        if (near.destroyed && far.destroyed) links.delete(link);
      });
    }
  };

  const server = createServer(join).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(postgresUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    set: (wanted) => {
      state = wanted;
      if (wanted === "down") for (const link of links) cut(link);
    },
    breakOneSide: (name) => {
      const named = [...links].filter((link) => link.name === name && !link.near.destroyed);
      for (const { near, far } of named) {
        near.removeAllListeners("close");
        near.destroy();
        far.removeAllListeners("data").resume();
      }
      return named.length;
    },
    loseNextReply: (name) => {
      losing = name;
    },
    lost: () => lost,
    close: async () => {
      for (const link of links) cut(link);
      server.close();
      await once(server, "close");
    },
  };
}
