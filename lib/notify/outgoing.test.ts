import { once } from "node:events";
import { createServer } from "node:http";
import type { LookupFunction } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { portOf } from "../http/port-of.ts";
import { createOutgoing } from "./outgoing.ts";
import { testReceiver } from "./test-receiver.ts";

const request = { headers: {}, body: "{}" };

test("a name is looked up once, when the connection is made: it cannot change after it was checked", async () => {
  const receiver = await testReceiver();
  const { port } = new URL(receiver.url);
  // Public the first time, and this machine from then on.
  const addresses = ["192.0.2.1"];
  let lookups = 0;
  const lookup: LookupFunction = (_name, { all }, done) => {
    lookups += 1;
    const address = addresses.shift() ?? "127.0.0.1";
    if (all) done(null, [{ address, family: 4 }]);
    else done(null, address, 4);
  };
  const { post } = createOutgoing({ privateHosts: [], lookup, timeoutMs: 500 });
  const url = `http://rebind.example.com:${port}/`;
  // It connects to the address that was checked, where nothing listens.
  await expect(post(url, request)).rejects.toThrow();
  expect(lookups).toBe(1);
  await expect(post(url, request)).rejects.toThrow(/private address/);
  expect(lookups).toBe(2);
  expect(receiver.received).toEqual([]);
  // Only what an administrator names may be private.
  await createOutgoing({ privateHosts: ["rebind.example.com"], lookup }).post(url, request);
  expect(receiver.received).toHaveLength(1);
});

test("a service that does not reply is given up", async () => {
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  onTestFinished(() => void silent.close().closeAllConnections());
  await once(silent, "listening");
  const { post } = createOutgoing({ privateHosts: ["127.0.0.1"], timeoutMs: 50 });
  await expect(post(`http://127.0.0.1:${portOf(silent)}`, request)).rejects.toThrow(/did not reply/);
});
