import { type Browser, chromium, type Page } from "@playwright/test";
import { chromium as programs } from "../../scripts/setup/chromium.mjs";
import type { DatabaseKind } from "../../scripts/throwaway/database.ts";
import { type Bench, sleep } from "../bench.ts";
import { quantiles } from "../statistics.ts";
import type { Line } from "../table.ts";

/** Beyond these, people notice that a page is slow. */
const EVENT_MS = 150;
const KEY_MS = 50;
const TIMES = 50;

/** In a real browser: from an acknowledged ask or answer to its pixels, and from a key press to its effect. */
export async function pages(bench: Bench, kind: DatabaseKind): Promise<Line[]> {
  const database = await bench.databases.createForProduct(kind);
  const server = await bench.startProduct(database);
  const url = `http://localhost:${server.port}`;
  const browser = await chromium.launch({
    executablePath: programs.whole,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const shown = await eventToPixel(browser, url);
    const keys = await keyToPaint(browser, url);
    const sessions = await bench.load.run("openSessions", { port: server.port, count: 64 });
    const asks = { port: server.port, sessions, prefix: "open", count: bench.options.pending, askers: 32 };
    await bench.load.run("askMany", asks);
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

/**
 * Runs in every page and records when a selector's element was painted and when a key was pressed, by the machine's
 * clock. It is text, because a compiled function would refer to names that the page does not have.
 */
const WATCH = `
  const now = () => performance.timeOrigin + performance.now();
  window.painted = (selector) => new Promise((resolve) => {
    const observer = new MutationObserver(look);
    function look() {
      if (document.querySelector(selector) === null) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(now());
        port2.postMessage(null);
      });
    }
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
    look();
  });
  window.addEventListener("keydown", (event) => (window.pressedAt = performance.timeOrigin + event.timeStamp), true);
`;

async function open(browser: Browser, address: string): Promise<Page> {
  const page = await browser.newPage();
  await page.addInitScript({ content: WATCH });
  await page.goto(address);
  await page.locator("[data-connection=live]").waitFor();
  return page;
}

function painted(page: Page, selector: string): Promise<number> {
  return page.evaluate(`window.painted(${JSON.stringify(selector)})`);
}

/** The time from the key press to the frame that shows its effect. */
async function pressed(page: Page, key: string, selector: string): Promise<number> {
  const seen = painted(page, selector);
  await page.keyboard.press(key);
  return (await seen) - (await page.evaluate<number>("window.pressedAt"));
}

async function eventToPixel(browser: Browser, url: string): Promise<{ asked: number[]; answered: number[] }> {
  const { session_id } = (await post(url, "/api/asks", { question: "First?" })).ask;
  const page = await open(browser, `${url}/conversations/${session_id}`);
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

async function keyToPaint(browser: Browser, url: string): Promise<number[]> {
  const { ask } = await post(url, "/api/asks", { question: "Which?", options: ["One", "Two", "Three", "Four"] });
  const page = await open(browser, `${url}/conversations/${ask.session_id}`);
  // Keys that come before anyone can have read the question do nothing.
  await page.locator("form[data-card][data-ready]").waitFor();
  const times: number[] = [];
  for (let round = 0; round < TIMES; round++) {
    const number = (round % 4) + 1;
    times.push(await pressed(page, String(number), `label.bg-chosen [aria-keyshortcuts="${number}"]`));
  }
  await page.close();
  return times;
}

async function moveInInbox(browser: Browser, url: string): Promise<number[]> {
  const page = await open(browser, url);
  await page.locator("[data-item]").first().waitFor();
  // They are all similar, and therefore one row until the group is expanded.
  await page
    .getByRole("button", { name: /similar/ })
    .last()
    .click();
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
