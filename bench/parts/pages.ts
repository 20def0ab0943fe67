import { type Browser, chromium, type Page } from "@playwright/test";
import { type Bench, sleep } from "../bench.ts";
import type { Kind } from "../options.ts";
import { quantiles } from "../statistics.ts";
import type { Line } from "../table.ts";

/** What people notice: longer than these, and a page feels as if it waited. */
const EVENT_MS = 150;
const KEY_MS = 50;
const TIMES = 50;

/** In a real browser: from the acknowledged ask or answer to its pixel, and from a key to what it changes. */
export async function pages(bench: Bench, kind: Kind): Promise<Line[]> {
  const database = await bench.databases.createForProduct(kind);
  const server = await bench.startProduct(database);
  const url = `http://localhost:${server.port}`;
  const browser = await chromium.launch({
    executablePath: process.env.PARLEY_CHROMIUM || "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const shown = await eventToPixel(browser, url);
    const keys = await keyToPaint(browser, url);
    const sessions = await bench.load.tell("openSessions", { port: server.port, count: 64 });
    const asks = { port: server.port, sessions, prefix: "open", count: bench.options.pending, askers: 32 };
    await bench.load.tell("askMany", asks);
    await sleep(1_000);
    const moves = await moveInInbox(browser, url);
    const line = (figure: string, values: number[], atMost: number): Line => {
      const { p50, p99 } = quantiles(values);
      return {
        figure,
        kind,
        product: `${p50.toFixed(1)} ms (p99 ${p99.toFixed(1)})`,
        against: "what people notice",
        target: { value: p50, atMost, unit: " ms" },
      };
    };
    return [
      line("ask committed → its card painted, median", shown.asked, EVENT_MS),
      line("answer committed → the record painted, median", shown.answered, EVENT_MS),
      line("a number pressed → its option painted, median", keys, KEY_MS),
      line(`j pressed in an inbox of ${bench.options.pending} → the next row painted, median`, moves, KEY_MS),
    ];
  } finally {
    await browser.close();
    await bench.stopServers();
  }
}

async function post(
  url: string,
  path: string,
  body: unknown,
): Promise<{ ask: { session_id: string; tool_use_id: string } }> {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return (await response.json()) as { ask: { session_id: string; tool_use_id: string } };
}

/** When what the selector finds was painted, by the clock of the machine. */
function painted(page: Page, selector: string): Promise<number> {
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        // After the frame in which it is there was drawn.
        const drawn = () =>
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.timeOrigin + performance.now());
            port2.postMessage(null);
          });
        const look = () => {
          if (document.querySelector(wanted) === null) return;
          observer.disconnect();
          drawn();
        };
        const observer = new MutationObserver(look);
        observer.observe(document.body, { subtree: true, childList: true, attributes: true });
        look();
      }),
    selector,
  );
}

async function eventToPixel(browser: Browser, url: string): Promise<{ asked: number[]; answered: number[] }> {
  const page = await browser.newPage();
  const first = await post(url, "/api/asks", { question: "First?" });
  const { session_id } = first.ask;
  await page.goto(`${url}/conversations/${session_id}`);
  await page.locator("[data-connection=live]").waitFor();
  const times = { asked: [] as number[], answered: [] as number[] };
  for (let round = 0; round < TIMES; round++) {
    const tool_use_id = `bench_${round}`;
    const seen = painted(page, `[data-ask="${tool_use_id}"][data-status=pending]`);
    await post(url, "/api/asks", { session_id, tool_use_id, question: `Question ${round}?`, options: ["Yes", "No"] });
    const asked = performance.timeOrigin + performance.now();
    times.asked.push(Math.max(0, (await seen) - asked));
    const settled = painted(page, `[data-ask="${tool_use_id}"][data-status=answered]`);
    await post(url, "/api/task/answer", { session_id, question_id: tool_use_id, answer: "Yes" });
    const answered = performance.timeOrigin + performance.now();
    times.answered.push(Math.max(0, (await settled) - answered));
  }
  await page.close();
  return times;
}

/** From the key to the frame that shows what it did, within the page. */
async function pressed(page: Page, key: string, selector: string): Promise<number> {
  const at = page.evaluate(
    () =>
      new Promise<number>((resolve) =>
        window.addEventListener("keydown", (event) => resolve(performance.timeOrigin + event.timeStamp), {
          once: true,
          capture: true,
        }),
      ),
  );
  await page.evaluate(() => {});
  const seen = painted(page, selector);
  await page.keyboard.press(key);
  return (await seen) - (await at);
}

async function keyToPaint(browser: Browser, url: string): Promise<number[]> {
  const page = await browser.newPage();
  const { ask } = await post(url, "/api/asks", { question: "Which?", options: ["One", "Two", "Three", "Four"] });
  await page.goto(`${url}/conversations/${ask.session_id}`);
  await page.locator("[data-connection=live]").waitFor();
  const times: number[] = [];
  for (let round = 0; round < TIMES; round++) {
    const number = (round % 4) + 1;
    times.push(await pressed(page, String(number), `label.bg-chosen [aria-keyshortcuts="${number}"]`));
  }
  await page.close();
  return times;
}

async function moveInInbox(browser: Browser, url: string): Promise<number[]> {
  const page = await browser.newPage();
  await page.goto(url);
  await page.locator("[data-item]").first().waitFor();
  await page.locator("[data-connection=live]").waitFor();
  const times: number[] = [];
  for (let round = 0; round < TIMES; round++) {
    const [before] = await page
      .locator("[data-item] a[aria-current]")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    const other = before ? `[data-item] a[aria-current]:not([href="${before}"])` : "[data-item] a[aria-current]";
    times.push(await pressed(page, "j", other));
  }
  await page.close();
  return times;
}
