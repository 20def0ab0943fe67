import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { foreign, runForeign } from "./foreign.ts";
import { scenarioDatabase } from "./scenario-database.ts";

test("foreign pages get nothing, and no GET changes anything", { timeout: 300_000 }, async () => {
  const options = { times: foreign.small.times, seed: 20260101, log: () => {} };
  const { violations, figures } = await foreign.run({ ...options, databaseUrl: await scenarioDatabase("sqlite") });
  expect(violations).toEqual([]);
  expect(figures["foreign requests"]).toBeGreaterThan(1_500);
  expect(figures["own requests"]).toBeGreaterThan(100);
  expect(figures["foreign handshakes"]).toBeGreaterThan(900 * 3);
  expect(figures["own handshakes"]).toBeGreaterThan(20);
  expect(figures["GET and HEAD"]).toBeGreaterThan(50);
});

test("a server that answers under a foreign name is found out", { timeout: 300_000 }, async () => {
  const options = { times: 5, seed: 1, databaseUrl: await scenarioDatabase("sqlite"), log: () => {} };
  const PORT = await freePort();
  const env = { PORT, PUBLIC_URL: `http://evil.example:${PORT}`, RATE_LIMIT_PER_MINUTE: "0" };
  const { violations } = await runForeign(options, env);
  expect(violations.join("\n")).toMatch(/POST \/api\/asks from .*evil\.example.* was answered with 201/);
  expect(violations.join("\n")).toMatch(/a foreign handshake \(websocket\) was answered with 101: .*evil\.example/);
  expect(violations.join("\n")).toMatch(/a foreign handshake \(polling\) was answered with 200: .*evil\.example/);
  expect(violations).toContain("a foreign request changed something");
});

async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return String(port);
}
