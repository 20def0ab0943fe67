import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { portOf } from "../../../lib/http/port-of.ts";
import { testOptions } from "../kit/test-scenario.ts";
import { foreign, runForeign } from "./foreign.ts";

test("foreign pages get nothing, and no GET changes anything", async () => {
  const { violations, figures } = await foreign.run(await testOptions("sqlite", foreign.small.times, 20260101));
  expect(violations).toEqual([]);
  expect(figures["foreign requests"]).toBeGreaterThan(1_500);
  expect(figures["own requests"]).toBeGreaterThan(100);
  expect(figures["foreign handshakes"]).toBeGreaterThan(900 * 3);
  expect(figures["own handshakes"]).toBeGreaterThan(20);
  expect(figures["GET and HEAD"]).toBeGreaterThan(50);
});

test("a server that answers under a foreign name is detected", async () => {
  const options = await testOptions("sqlite", 5);
  const { violations } = await onFreePort((PORT) =>
    runForeign({ ...options, env: { PORT, PUBLIC_URL: `http://evil.example:${PORT}`, RATE_LIMIT_PER_MINUTE: "0" } }),
  );
  expect(violations.join("\n")).toMatch(/POST \/api\/asks from .*evil\.example.* was answered with 201/);
  expect(violations.join("\n")).toMatch(/a foreign handshake \(websocket\) was answered with 101: .*evil\.example/);
  expect(violations.join("\n")).toMatch(/a foreign handshake \(polling\) was answered with 200: .*evil\.example/);
  expect(violations.join("\n")).toMatch(/a foreign request changed something:[\s\S]*\n\+ ask /);
});

/** Another process can take the port before the server listens on it; if so, try another one. */
async function onFreePort<Result>(work: (port: string) => Promise<Result>): Promise<Result> {
  for (;;) {
    const probe = createServer().listen(0, "127.0.0.1");
    await once(probe, "listening");
    const port = portOf(probe);
    probe.close();
    await once(probe, "close");
    try {
      return await work(String(port));
    } catch (error) {
      if (!String(error).includes(`Port ${port} is in use`)) throw error;
    }
  }
}
