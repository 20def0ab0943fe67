import { connect, createServer, type Socket } from "node:net";
import { portOf } from "../../../lib/http/port-of.ts";

export type RoundRobin = { port: number; close: () => void };

/** A proxy before several nodes, as a load balancer is: each connection goes to the next node that takes it. */
export async function roundRobin(ports: readonly number[]): Promise<RoundRobin> {
  let next = 0;
  const open = new Set<Socket>();
  const toNode = (client: Socket, tries: number): void => {
    const port = ports[next++ % ports.length] ?? 0;
    const node = connect(port, "127.0.0.1");
    open.add(node);
    node.once("close", () => open.delete(node));
    node.once("error", () => {
      if (tries > 1 && !client.destroyed) toNode(client, tries - 1);
      else client.destroy();
    });
    node.once("connect", () => {
      node.removeAllListeners("error");
      for (const [one, other] of [
        [client, node],
        [node, client],
      ] as const)
        one.on("error", () => other.destroy()).on("close", () => other.destroy());
      client.pipe(node).pipe(client);
    });
  };
  const server = createServer((client) => {
    open.add(client);
    client.once("close", () => open.delete(client));
    client.on("error", () => {});
    toNode(client, ports.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: portOf(server),
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
