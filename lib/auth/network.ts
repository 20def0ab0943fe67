import { isIPv4, isIPv6 } from "node:net";

/** The /24 of an IPv4 address and the /64 of an IPv6 address: what one client can choose among. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (isIPv4(plain)) return plain.split(".").slice(0, 3).join(".");
  return isIPv6(plain) ? ipv6Network(plain) : plain;
}

/** The /64 of an IPv6 address, the same however the address is written. */
export function ipv6Network(address: string): string {
  const [before = "", after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const head = before.split(":").filter(Boolean);
  const tail = after === undefined ? [] : after.split(":").filter(Boolean);
  const zeros = Array<string>(8 - head.length - tail.length).fill("0");
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(":")}::/64`;
}
