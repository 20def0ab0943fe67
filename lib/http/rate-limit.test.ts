import type { IncomingMessage } from "node:http";
import { afterEach, expect, test, vi } from "vitest";
import { NOBODY } from "../auth/identify.ts";
import { networkOf } from "../auth/network.ts";
import { ParleyError } from "../protocol/errors.ts";
import { createThrottle } from "../realtime/throttle.ts";
import { createClientAddress } from "./client-address.ts";
import { createRateLimit } from "./rate-limit.ts";
import { errorBody, errorHead } from "./reply-error.ts";

afterEach(() => vi.useRealTimers());

const from = (remoteAddress: string | undefined, forwarded?: string | string[]) =>
  ({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } }) as unknown as IncomingMessage;

test.each([
  ["nobody in between", "127.0.0.1", undefined, "127.0.0.1"],
  ["the proxy of this machine", "127.0.0.1", "203.0.113.9", "203.0.113.9"],
  ["the same, by its IPv6 name", "::ffff:127.0.0.1", "203.0.113.9", "203.0.113.9"],
  ["a client that makes up an address", "127.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9"],
  ["a client that makes up a proxy", "127.0.0.1", "198.51.100.1, 127.0.0.1, 203.0.113.9", "203.0.113.9"],
  ["a header sent twice", "127.0.0.1", ["198.51.100.1", "203.0.113.9"], "203.0.113.9"],
  ["two proxies of ours", "127.0.0.1", "198.51.100.1, 203.0.113.9, 10.1.2.3", "203.0.113.9"],
  ["two proxies, the outer by IPv6", "::1", "203.0.113.9, 2001:db8:ffff::1", "203.0.113.9"],
  ["a proxy that adds the port", "127.0.0.1", "203.0.113.9:4711", "203.0.113.9"],
  ["an IPv6 client", "127.0.0.1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["the same client by another address", "127.0.0.1", "[2001:DB8:1:2::7]:4711", "2001:db8:1:2::/64"],
  ["nonsense", "127.0.0.1", "198.51.100.1, unknown", "127.0.0.1"],
  ["a client that is no proxy", "198.51.100.7", "203.0.113.9", "198.51.100.7"],
  ["a connection that is gone", undefined, "203.0.113.9", ""],
])("behind PUBLIC_URL: %s", (_, remoteAddress, forwarded, client) => {
  expect(
    createClientAddress(["127.0.0.0/8", "::1", "10.0.0.0/8", "2001:db8:ffff::/48"])(from(remoteAddress, forwarded)),
  ).toBe(client);
});

test("no proxy is trusted that is not listed, not even one on this machine", () => {
  expect(createClientAddress([])(from("127.0.0.1", "203.0.113.9"))).toBe("127.0.0.1");
  expect(createClientAddress(["10.0.0.5"])(from("127.0.0.1", "203.0.113.9"))).toBe("127.0.0.1");
});

test("each client has its own limit, and setting the clock back does not prolong it", () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: 1_000_000_000 });
  const clientOf = createClientAddress(["127.0.0.1"]);
  const check = createRateLimit({ perMinute: 2, clientOf, callerOf: () => ({ ...NOBODY }) });
  const throttle = createThrottle();
  const ask = (client: string) => (check(from("127.0.0.1", client)) as ParleyError | undefined)?.details;
  expect([ask("203.0.113.1"), ask("203.0.113.1"), ask("203.0.113.2")]).toEqual([undefined, undefined, undefined]);
  expect(ask("203.0.113.1")).toEqual({ retry_after: 60 });
  for (let n = 0; n < 200; n++) expect(throttle()).toBeUndefined();
  expect(throttle()?.code).toBe("rate_limited");
  vi.advanceTimersByTime(60_000);
  vi.setSystemTime(1_000_000_000 - 3_600_000);
  expect(ask("203.0.113.1")).toBeUndefined();
  expect(throttle()).toBeUndefined();
});

test("people and keys are counted by themselves, everyone else by their address", async () => {
  const known: Record<string, string> = { a: "per_ann", b: "per_bob" };
  const callerOf = ({ headers }: IncomingMessage) => {
    const id = known[String(headers.authorization)];
    if (headers.authorization === "slow") return Promise.reject(new ParleyError("unauthorized", "no"));
    if (!id) throw new ParleyError("unauthorized", "no");
    return headers.cookie ? Promise.resolve({ ...NOBODY, id }) : { ...NOBODY, id };
  };
  const check = createRateLimit({ perMinute: 2, clientOf: createClientAddress(["127.0.0.1"]), callerOf });
  /** All come through one proxy, which says nothing about them. */
  const ask = async (authorization: string, cookie?: string) =>
    (await check({ socket: { remoteAddress: "127.0.0.1" }, headers: { authorization, cookie } } as IncomingMessage))
      ?.code ?? "fine";
  expect([await ask("a"), await ask("a", "looked up"), await ask("a")]).toEqual(["fine", "fine", "rate_limited"]);
  expect([await ask("b"), await ask("b")]).toEqual(["fine", "fine"]);
  // An invented credential does not get its own limit.
  expect([await ask("x"), await ask("slow"), await ask("y")]).toEqual(["fine", "fine", "rate_limited"]);
});

test.each([
  ["203.0.113.9", "203.0.113"],
  ["::ffff:203.0.113.9", "203.0.113"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:db8::2", "2001:db8:0:0::/64"],
  ["2001:DB8:0:0:1::", "2001:db8:0:0::/64"],
  ["2001:db8:0:1::1", "2001:db8:0:1::/64"],
  ["::1", "0:0:0:0::/64"],
  ["2001:db8:0:0::/64", "2001:db8:0:0::/64"],
  ["", ""],
])("the network of %s is %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test("a limit without a time is sent with one", () => {
  expect(errorHead(errorBody(new ParleyError("rate_limited", "Too many."), () => {})).headers).toEqual({
    "retry-after": "1",
  });
});
