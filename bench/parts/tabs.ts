import { chromium } from "@playwright/test";
import { io } from "socket.io-client";
import { chromium as programs } from "../../scripts/setup/chromium.mjs";
import type { DatabaseKind } from "../../scripts/throwaway/database.ts";
import { type Bench, sleep } from "../bench.ts";
import type { Line } from "../table.ts";

const OPEN = 100;
const ASKS_PER_SECOND = 10;
const MAX_REQUESTS = 2;

/** What an open inbox costs while agents ask: one in a real browser, the others as their sockets alone. */
export async function tabs(bench: Bench, kind: DatabaseKind): Promise<Line[]> {
  const server = await bench.startProduct(await bench.databases.createForProduct(kind));
  const url = `http://localhost:${server.port}`;
  const sockets = Array.from({ length: OPEN - 1 }, () =>
    io(url, { transports: ["websocket"], query: { protocol: "v2" }, forceNew: true }),
  );
  const browser = await chromium.launch({ executablePath: programs.whole, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    await Promise.all(sockets.map((socket) => socket.emitWithAck("inbox.subscribe", {})));
    const page = await browser.newPage();
    let requests = 0;
    page.on("request", (request) => {
      if (new URL(request.url()).pathname.startsWith("/api/")) requests += 1;
    });
    await page.goto(url);
    // Once it shows what is asked, it follows all changes.
    await ask(url, 1_000);
    await page.locator("[data-item]").first().waitFor({ timeout: 180_000 });
    requests = 0;
    const cpu = server.cpu();
    const seconds = await ask(url, bench.options.sliceMs * bench.options.rounds);
    const each = requests / seconds;
    const share = (server.cpu() - cpu) / seconds / 1e6;
    bench.say(`  ${each.toFixed(2)} requests/s, ${(share * 100).toFixed(0)} % of a core`);
    return [
      {
        figure: `requests/s of one of ${OPEN} open inboxes, ${ASKS_PER_SECOND} asks/s`,
        kind,
        product: each.toFixed(2),
        against: "",
        target: { value: each, atMost: MAX_REQUESTS },
      },
    ];
  } finally {
    for (const socket of sockets) socket.close();
    await browser.close();
    await bench.stopServers();
  }
}

/** Asks at a steady pace, and returns for how many seconds. */
async function ask(url: string, ms: number): Promise<number> {
  const began = performance.now();
  const asking: Promise<unknown>[] = [];
  for (let nth = 0; performance.now() - began < ms; nth++) {
    const body = JSON.stringify({ question: `Question ${nth}?`, options: ["Yes", "No"] });
    asking.push(fetch(`${url}/api/asks`, { method: "POST", headers: { "content-type": "application/json" }, body }));
    await sleep(Math.max(0, began + ((nth + 1) * 1_000) / ASKS_PER_SECOND - performance.now()));
  }
  await Promise.all(asking);
  return (performance.now() - began) / 1_000;
}
