import { connect, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { portOf } from "../../../lib/http/port-of.ts";
import type { ServerProcess } from "../../throwaway/server.ts";
import { testOptions } from "../kit/test-scenario.ts";
import { foreign, runForeign } from "./foreign.ts";

test("foreign pages get nothing, and no GET changes anything", async () => {
  const { violations, figures } = await runForeign(await testOptions("sqlite", foreign.size.small, 20260101));
  expect(violations).toEqual([]);
  expect(figures["foreign requests"]).toBeGreaterThan(1_500);
  expect(figures["own requests"]).toBeGreaterThan(100);
  expect(figures["foreign handshakes"]).toBeGreaterThan(900 * 3);
  expect(figures["own handshakes"]).toBeGreaterThan(20);
  expect(figures["GET and HEAD"]).toBeGreaterThan(50);
});

test("with the cookie of someone who is signed in, foreign pages get nothing either", async () => {
  const { violations, figures } = await runForeign(await testOptions("sqlite", 15, 20260101), undefined, true);
  expect(violations).toEqual([]);
  expect(figures["foreign requests"]).toBeGreaterThan(1_000);
  expect(figures["own requests"]).toBeGreaterThan(100);
});

test("a server that answers under a foreign name is detected", async () => {
  const { violations } = await runForeign(await testOptions("sqlite", 5), withoutNames);
  expect(violations.join("\n")).toMatch(/POST \/api\/asks from .*evil\.example.* was answered with 201/);
  expect(violations.join("\n")).toMatch(/a foreign handshake \(websocket\) was answered with 101: .*evil\.example/);
  expect(violations.join("\n")).toMatch(/a foreign handshake \(polling\) was answered with 200: .*evil\.example/);
  expect(violations.join("\n")).toMatch(/a foreign request changed something:[\s\S]*\n\+ ask /);
});

/** Hides from a server that a request is for a foreign name, so that it lets it in. */
async function withoutNames(server: ServerProcess): Promise<ServerProcess> {
  const { port } = server;
  const hole = createServer((client) => {
    const target = connect(port, "127.0.0.1");
    client.once("data", (head) => {
      const text = head.toString("latin1");
      const hidden = text
        .replace(/^(host): .*$/im, `$1: localhost:${port}`)
        .replace(/^(origin|sec-fetch-\w+): .*\r\n/gim, "");
      target.write(
        /^host: evil\.example/im.test(text) ? hidden : text.replaceAll(`:${portOf(hole)}`, `:${port}`),
        "latin1",
      );
      client.pipe(target).pipe(client);
    });
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const)
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
  });
  await new Promise<void>((resolve) => hole.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void hole.close());
  return new Proxy(server, {
    get: (target, name) => (name === "port" ? portOf(hole) : Reflect.get(target, name, target)),
  });
}
