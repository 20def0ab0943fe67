import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { ipv6Network } from "../auth/network.ts";

/** Identifies the client a request comes from, so that its requests and sockets can be counted. */
export type ClientAddress = (request: IncomingMessage) => string;

/**
 * `trusted` lists the addresses and networks (`10.0.0.0/8`) of our proxies, which name their caller in X-Forwarded-For. Anyone
 * can send that header, but a proxy appends to it: only the last address that is not one of our proxies can be trusted. A
 * program on this machine is no proxy unless it is listed.
 */
export function createClientAddress(trusted: readonly string[]): ClientAddress {
  const proxies = proxyList(trusted);
  const isProxy = (address: string) => proxies.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

  return function clientAddress({ socket, headers }) {
    let client = plainAddress(socket.remoteAddress ?? "");
    if (client === undefined) return "";
    const forwarded = trusted.length > 0 ? [headers["x-forwarded-for"] ?? []].flat().join(",").split(",") : [];
    while (isProxy(client)) {
      const before = plainAddress(forwarded.pop() ?? "");
      if (before === undefined) break;
      client = before;
    }
    // Each IPv6 client has a whole /64 to take addresses from.
    return isIP(client) === 6 ? ipv6Network(client) : client;
  };
}

function proxyList(trusted: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of trusted) {
    const [address = "", bits] = network.split("/");
    const [family, maxBits] = isIP(address) === 6 ? (["ipv6", 128] as const) : (["ipv4", 32] as const);
    list.addSubnet(address, Number(bits ?? maxBits), family);
  }
  return list;
}

/** The address without port, brackets or zone, and a mapped IPv4 address as IPv4; undefined if it is no address. */
function plainAddress(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
  const address = bare.replace(/%.*$/, "").replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
  return isIP(address) > 0 ? address : undefined;
}
