import type { APIRequestContext, Locator, Page } from "@playwright/test";
import type { AskView } from "../lib/protocol/ask.ts";
import { expect } from "./fixtures.ts";

// What agents and people do in these tests.

export const LICENCE = {
  question_text: "Which licence?",
  type: "multiple_choice",
  allow_other: true,
  options: [
    { id: "mit", label: "MIT" },
    { id: "apache", label: "Apache-2.0" },
  ],
};

/** An agent asks over REST. */
export async function ask(request: APIRequestContext, body: Record<string, unknown>): Promise<AskView> {
  const response = await request.post("/api/asks", { data: { agent: "builder", ...body } });
  expect(response.status(), await response.text()).toBe(201);
  return (await response.json()).ask;
}

/** The agent fetches its result. */
export async function readAsk(
  request: APIRequestContext,
  { session_id, tool_use_id }: AskView,
  wait = 0,
): Promise<AskView> {
  const response = await request.get(`/api/asks/${tool_use_id}`, { params: { session_id, wait } });
  return (await response.json()).ask;
}

/** Someone else answers over REST. */
export async function answer(request: APIRequestContext, asked: AskView, given: unknown, name = "mei"): Promise<void> {
  const response = await request.post("/api/task/answer", {
    headers: { "x-parley-name": name },
    data: { session_id: asked.session_id, question_id: asked.questions[0]?.question_id, answer: given },
  });
  expect(response.status(), await response.text()).toBe(200);
}

/** Opens a page and waits until it reacts: a click or a key before that would be lost. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await reacts(page);
}

/** Loads the page again and waits until it reacts. */
export async function reload(page: Page): Promise<void> {
  await page.reload();
  await reacts(page);
}

const reacts = (page: Page) => expect(page.locator("body > [data-ready]")).toBeAttached();

/** Opens a conversation with the demo agent and waits until it asks. */
export async function startDemo(page: Page, message: string): Promise<void> {
  await visit(page, "/conversations");
  await page.getByRole("textbox", { name: "What should the agent do?" }).fill(message);
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await expect(page).toHaveURL(/\/conversations\/.+/);
  await expect(openCards(page).first()).toBeVisible();
}

/**
 * Compare its text with a list, `toContainText(["Round 2"])`, which also waits for the number of cards. An agent may ask
 * again before the page learns that its last answer has arrived, and both cards are open for a moment.
 */
export const openCards = (page: Page) => page.locator("article[data-status=pending]");
export const settledCards = (page: Page) =>
  page.locator("article[data-kind=ask_user_question]:not([data-status=pending])");
/** The number of open questions that the page shows. */
export const openCount = (page: Page) => page.getByTestId("open-count");

/** A card accepts number keys from outside once a person can have read it. */
export const ready = (page: Page) => expect(page.locator("form[data-card][data-ready]")).toHaveCount(1);

/** The page receives what others do. */
export const live = (page: Page) => expect(page.getByText("Live", { exact: true }).first()).toBeVisible();

/** Chooses an entry of the menu of a card. */
export async function cardMenu(card: Locator, entry: string): Promise<void> {
  await card.getByRole("button", { name: "More actions" }).click();
  await card.page().getByRole("menuitem", { name: entry }).click();
}
