import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { holdRequests } from "./hold-requests.ts";

test("a request that arrives before Parley can serve it waits, body and all; /health says why", async () => {
  const server = createServer();
  const letThrough = holdRequests(server, "1.2.3");
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let replied = false;
  const early = fetch(url, { method: "POST", body: "a question" }).finally(() => {
    replied = true;
  });
  await once(server, "request");
  const health = await fetch(`${url}/health`);
  expect(health.status).toBe(503);
  expect(await health.json()).toMatchObject({ status: "starting", version: "1.2.3" });
  expect(replied).toBe(false);

  letThrough();
  server.on("request", (request, response) => request.pipe(response));
  expect(await (await early).text()).toBe("a question");
  expect((await fetch(`${url}/health`)).status).toBe(200);
  server.close();
  server.closeAllConnections();
});
