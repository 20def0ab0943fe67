import type { APIRequestContext, Page } from "@playwright/test";
import fc from "fast-check";
import type { AskView } from "../lib/protocol/ask.ts";
import { openCards, readAsk, ready, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";
import { asAna, asMei, newAgent, OWN_SERVER, otherBrowser } from "./team.ts";
import { type Accepted, watchActs } from "./watch-acts.ts";

test.use({
  ...OWN_SERVER,
  viewport: { width: 1100, height: 760 },
  hasTouch: true,
  expectedErrors: [/status of (400|409)/],
});

// An answer is recorded only for the card and the option that were under the pointer or in focus when the person acted, and
// only if they had stood still, whatever happens in whatever order.

const STILL_MS = 300;
/** The frames of the page and its events are not seen at the same moment. */
const FRAMES_MS = 60;

const options = ["a", "b", "c"].map((id) => ({ id, label: `Option ${id}` }));
const CHOICE = { question_text: "Which one?", type: "multiple_choice", allow_other: true, options };
const SHAPES: ReadonlyArray<Record<string, unknown>> = [
  { question_text: "Ship it?", type: "boolean" },
  CHOICE,
  {
    ...CHOICE,
    options: options.map((option) => ({ ...option, default: option.id === "b" })),
    on_timeout: "default",
    timeout_s: 900,
  },
];
const KEYS = ["y", "n", "1", "2", "3", "Control+Enter", "Tab", "Enter", " ", "j", "k", "g", "o", "u", "Escape"];

/** Counted from the end, before the page itself. */
const SUBMIT = -2;

const pointer = fc.record({
  press: fc.constantFrom("click" as const, "double click" as const, "tap" as const),
  at: fc.oneof(fc.nat(3), fc.constant(SUBMIT)),
  hasShift: fc.boolean(),
});
const event = fc.constantFrom("ask", "settle", "claim", "shift", "return");
const step = fc.oneof(
  { weight: 7, arbitrary: pointer },
  { weight: 6, arbitrary: fc.record({ key: fc.constantFrom(...KEYS) }) },
  { weight: 1, arbitrary: fc.record({ text: fc.constantFrom("2 nodes", "yes", "no, kill it") }) },
  { weight: 3, arbitrary: fc.record({ event }) },
  { weight: 6, arbitrary: fc.record({ wait_ms: fc.constantFrom(50, 200, 350, 500) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** What people do who have read the question. Anything may come in between. */
const readFirst: Step = { wait_ms: 350 };
const habits: Step[][] = [
  [readFirst, { key: "y" }],
  [readFirst, { key: "2" }, { key: "Control+Enter" }],
  [readFirst, { press: "tap", at: 1, hasShift: false }],
  [
    readFirst,
    { press: "click", at: 0, hasShift: false },
    readFirst,
    { press: "double click", at: SUBMIT, hasShift: false },
  ],
];
const steps = fc
  .array(
    fc.oneof(
      step.map((one) => [one]),
      fc.constantFrom(...habits),
    ),
    { minLength: 30, maxLength: 40 },
  )
  .map((parts) => parts.flat());

/** The middle of every control of the card, and of the page beside it. */
const middles = (page: Page) =>
  page.evaluate(() => {
    const controls = ["form[data-card] input[data-choice]", "form[data-card] button[type=submit]", "main"];
    return controls
      .flatMap((selector) => [...document.querySelectorAll(selector)])
      .map((element) => element.getBoundingClientRect())
      .map(({ left, top, width, height }) => [left + width / 2, top + height / 2] as const);
  });

/** Moves the card, as words do that arrive above it. */
const shift = (page: Page) =>
  page.evaluate(() => {
    const card = document.querySelector<HTMLElement>("article[data-form]");
    if (card) card.style.marginTop = card.style.marginTop ? "" : "46px";
  });

type World = {
  page: Page;
  /** A colleague's session. */
  mei: APIRequestContext;
  asked: AskView[];
  askMore: () => Promise<AskView>;
};

async function take({ page, mei, asked, askMore }: World, step: Step): Promise<unknown> {
  if ("key" in step) return page.keyboard.press(step.key);
  if ("text" in step) return page.keyboard.type(step.text);
  if ("wait_ms" in step) return page.waitForTimeout(step.wait_ms);
  if ("press" in step) {
    const places = await middles(page);
    const [x, y] = places.at(step.at) ?? [1, 1];
    if (step.hasShift) await shift(page);
    if (step.press === "tap") return page.touchscreen.tap(x, y);
    return page.mouse.click(x, y, { clickCount: step.press === "click" ? 1 : 2 });
  }
  if (step.event === "shift") return shift(page);
  if (step.event === "return") return page.evaluate(() => void window.dispatchEvent(new Event("focus")));
  if (step.event === "ask") return asked.push(await askMore());
  const shown = asked.find(({ inbox_item_id }) => page.url().includes(inbox_item_id));
  if (!shown) return;
  const { session_id, tool_use_id, inbox_item_id } = shown;
  // It may be settled already.
  if (step.event === "claim") return mei.post("/api/inbox/claim", { data: { inbox_item_ids: [inbox_item_id] } });
  return mei.post("/api/task/cancel", { data: { session_id, tool_use_id, reason: "Not needed" } });
}

/** What was wrong with accepting an answer; undefined if the person meant it. */
function mistakeIn({ item, given, takesOver, by }: Accepted): string | undefined {
  const [{ answer = "", other = "" } = {}] = Object.values(given.answers ?? {});
  if (!by) return "nobody pressed anything";
  if (by.card !== item) return "another card was there";
  if (by.cardStill_ms < STILL_MS - FRAMES_MS) return "the card had just come";
  const isPointer = by.kind === "pointer";
  if (isPointer && by.controlStill_ms < STILL_MS - FRAMES_MS) return "the control had just moved";
  const names = isPointer ? by.control : { y: "true", n: "false" }[by.key];
  const isNamed = isPointer ? by.control !== "submit" : names !== undefined;
  if (isNamed) {
    if (takesOver) return "a claim was taken over";
    return String(answer) === names ? undefined : "another option was pressed";
  }
  if (by.touches === 0) return "nobody had touched the card";
  const wasChosen = other ? by.text.trim() === other.trim() : by.chosen.includes(String(answer));
  return wasChosen ? undefined : "something else was chosen";
}

test("no order of presses, arrivals, claims and settlements answers what the person did not mean", async ({
  page,
  browser,
  server,
}) => {
  await asAna(server, page.request);
  const other = await otherBrowser(browser, server);
  await asMei(page.request, other.context);
  let runs = 0;
  let acceptedInAll = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const name = `property-${++runs}`;
      const agent = await newAgent(page.request, name);
      const asked: AskView[] = [];
      const askMore = () => agent.ask({ ...SHAPES[asked.length % SHAPES.length] });
      while (asked.length < 6) asked.push(await askMore());
      const open = async () => {
        await visit(page, `/?agent=${name}`);
        await watchActs(page);
      };
      await open();
      await expect(openCards(page)).toHaveCount(1);
      await ready(page);
      const accepted: Accepted[] = [];
      for (const each of taken) {
        await take({ page, mei: other.context.request, asked, askMore }, each);
        if ((await openCards(page).count()) > 0) continue;
        // All are settled, or a key led to another page.
        accepted.push(...(await page.evaluate(() => window.acceptedAnswers ?? [])));
        asked.push(await askMore());
        await open();
      }
      accepted.push(...(await page.evaluate(() => window.acceptedAnswers ?? [])));
      const mistakes = accepted.flatMap((each) => (mistakeIn(each) ? [{ mistake: mistakeIn(each), ...each }] : []));
      expect(mistakes).toEqual([]);
      // Nothing else was recorded for Ana.
      for (const ask of asked) {
        const { result } = await readAsk(page.request, ask);
        if (result?.decided_by?.name === "Ana" && result.outcome === "answered")
          expect(accepted.map(({ item }) => item)).toContain(ask.inbox_item_id);
      }
      acceptedInAll += accepted.length;
    }),
    { seed: 24, numRuns: 3, endOnFailure: true },
  );
  expect(acceptedInAll).toBeGreaterThan(10);
  await other.close();
});
