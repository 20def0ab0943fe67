import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

const QUERY = "EIO=4&protocol=v2";

/** What a page gets when it opens a websocket, polls, and posts without reading the reply. */
function knock(page: Page, host: string) {
  return page.evaluate(
    async ([place, query]) => {
      const socket = await new Promise<string>((resolve) => {
        const opened = new WebSocket(`ws://${place}/socket.io/?${query}&transport=websocket`);
        opened.onmessage = ({ data }) => {
          opened.close();
          resolve(String(data).slice(0, 1));
        };
        opened.onerror = () => resolve("nothing");
      });
      const polling = `http://${place}/socket.io/?${query}&transport=polling`;
      const read = (init: RequestInit) =>
        fetch(polling, init).then(
          async (response) => (await response.text()).slice(0, 1) || "nothing",
          () => "nothing",
        );
      return { socket, polling: await read({}), blind: await read({ mode: "no-cors" }) };
    },
    [host, QUERY] as const,
  );
}

const NOTHING = { socket: "nothing", polling: "nothing", blind: "nothing" };
const OPENED = { socket: "0", polling: "0", blind: "0" };

test.describe("a page from another port", () => {
  test.use({ expectedErrors: [/request to another origin|WebSocket connection|CORS policy|Failed to load/] });
  test("gets no socket and no reply, while Parley's own page gets both", async ({ page, server, request }) => {
    const other = createServer((_, response) => response.end("<!doctype html><title>Other</title>"));
    other.listen(0, "127.0.0.1");
    await once(other, "listening");
    const parley = new URL(server.url).port;
    try {
      for (const name of ["localhost", "127.0.0.1"]) {
        await page.goto(`http://${name}:${(other.address() as AddressInfo).port}/`);
        await expect(page).toHaveTitle("Other");
        for (const host of ["localhost", "127.0.0.1"])
          expect(await knock(page, `${host}:${parley}`), `from ${name} to ${host}`).toEqual(NOTHING);
      }
    } finally {
      other.close();
    }
    expect(await (await request.get("/metrics")).text()).toMatch(/^parley_sockets 0$/m);

    await page.goto("/");
    expect(await knock(page, new URL(server.url).host)).toEqual(OPENED);
  });
});
