import { answer, ask, LICENCE, openCards, readAsk, reload, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";

test("a test question is asked, answered on the page, and its answer arrives", async ({ page }) => {
  await visit(page, "/connect");
  await page.getByRole("tab", { name: "Demo" }).click();
  await page.getByRole("button", { name: "Send me a test question" }).click();
  await openCards(page).getByRole("radio", { name: "Yes" }).check();
  await openCards(page)
    .getByRole("button", { name: /Submit/ })
    .click();
  await expect(page.getByText(/The agent got its answer after/)).toBeVisible();
});

test("shows when a command pasted into a terminal arrives, and when its answer is fetched", async ({
  page,
  request,
}) => {
  await visit(page, "/connect");
  await page.getByRole("tab", { name: "curl" }).click();
  const pasted = await page.getByRole("tabpanel").locator("code").textContent();
  const body = JSON.parse(/-d '([\s\S]+)'/.exec(pasted ?? "")?.[1] ?? "{}");
  expect(pasted).toContain(new URL(page.url()).origin);
  const { wait: _, ...question } = body;
  const asked = await ask(request, question);
  await expect(openCards(page)).toContainText(["Ship it?"]);
  await answer(request, asked, "Yes");
  await request.get(`/api/asks/${asked.tool_use_id}`, { params: { session_id: asked.session_id } });
  await expect(page.getByText(/The agent got its answer after/)).toBeVisible();
});

test("shows when a question of Claude Code arrives, whatever the page calls its own tests", async ({
  page,
  request,
}) => {
  await visit(page, "/connect");
  await page.getByRole("tab", { name: "Claude Code" }).click();
  await expect(page.getByRole("tabpanel").locator("code")).toContainText(
    `PARLEY_URL=${new URL(page.url()).origin} parley connect claude-code`,
  );
  await expect(page.getByRole("tabpanel").getByRole("status")).toContainText("Claude Code");
  const input = {
    questions: [{ question: "Ship it?", header: "Ship", options: [{ label: "Yes" }, { label: "Not yet" }] }],
  };
  const call = { type: "tool_use", id: "toolu_connect", name: "AskUserQuestion", input };
  const asked = await ask(request, { ...call, agent: "Claude Code", session_key: "connect", title: "shop: ship it" });
  await openCards(page).getByRole("radio", { name: "Not yet" }).check();
  await openCards(page)
    .getByRole("button", { name: /Submit/ })
    .click();
  await readAsk(request, asked);
  await expect(page.getByText(/The agent got its answer after/)).toBeVisible();
});

test("language, theme and name can be chosen, and are kept and used", async ({ page, request }) => {
  const asked = await ask(request, LICENCE);
  await visit(page, `/conversations/${asked.session_id}`);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("textbox", { name: "Your name" }).fill("Ann");
  await page.getByRole("radio", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.getByRole("combobox", { name: "Language" }).click();
  await page.getByRole("option", { name: "日本語" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "ja");
  await page.keyboard.press("Escape");
  await reload(page);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await openCards(page).getByRole("radio", { name: "MIT" }).check();
  await openCards(page).getByRole("button", { name: /送信/ }).click();
  await expect(page.locator("article")).toContainText("Ann ·");
  await expect(page.locator("article")).toContainText("回答済み");
});
