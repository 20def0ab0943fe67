import { answer, ask, LICENCE, openCards, settledCards, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";

// What a page says, it says once and in one place.

test("a question in the inbox names its agent and round above the card, not in it again", async ({ page, request }) => {
  await ask(request, { ...LICENCE, agent: "named-once", title: "Named once", total_rounds: 3 });
  await visit(page, "/?agent=named-once");
  await expect(openCards(page)).toContainText(["Which licence?"]);
  const detail = page.getByRole("region", { name: "Question", exact: true });
  await expect(detail.getByText("Round 1 of 3")).toBeVisible();
  await expect(openCards(page)).not.toContainText("Round 1");
  await expect(openCards(page)).not.toContainText("named-once");
});

test("a settled record says who decided, and the question and its answer, once", async ({ page, request }) => {
  const asked = await ask(request, { ...LICENCE, agent: "decided-once", title: "Decided once" });
  await answer(request, asked, "mit", "Mei");
  await visit(page, "/?view=settled&agent=decided-once");
  const record = settledCards(page);
  await expect(record).toContainText("Asked by decided-once");
  await expect(record.getByText("2 options offered")).toBeVisible();
  await expect(record.getByRole("listitem").filter({ hasText: "Apache-2.0" })).toBeVisible();
  const text = (await record.textContent()) ?? "";
  expect(text.match(/Mei/g)).toHaveLength(1);
  // Once as the answer, once among the options.
  expect(text.match(/MIT/g)).toHaveLength(2);
});

test("only the first question that is missing has a ring", async ({ page, request }) => {
  const questions = ["One", "Two", "Three"].map((header) => ({
    question: `Which ${header}?`,
    header,
    multiSelect: false,
    options: [{ label: "This" }, { label: "That" }],
  }));
  await ask(request, { agent: "one-ring", questions });
  await visit(page, "/?agent=one-ring");
  const card = openCards(page);
  await card.getByRole("button", { name: "Submit" }).click();
  await expect(card).toContainText("3 left: One, Two, Three");
  await expect(card.getByText("Needs an answer.")).toHaveCount(3);
  const rings = () =>
    card.locator("fieldset").evaluateAll((fields) => fields.map((field) => getComputedStyle(field).outlineStyle));
  expect(await rings()).toEqual(["solid", "none", "none"]);
  await card.getByRole("radio", { name: "This" }).first().check();
  await expect.poll(rings).toEqual(["none", "solid", "none"]);
});

test("options stand on the side where their question starts", async ({ page, request }) => {
  const options = [
    { id: "a", label: "نعم" },
    { id: "b", label: "لا" },
  ];
  await ask(request, { agent: "rtl", question_text: "هل نعيد المبلغ؟", type: "multiple_choice", options });
  await visit(page, "/?agent=rtl");
  const card = openCards(page);
  const box = async (name: string) => (await card.locator("label", { hasText: name }).boundingBox())?.x ?? 0;
  await expect(card.locator("label")).toHaveCount(2);
  expect(await box("نعم")).toBeGreaterThan(await box("لا"));

  // Also those in Parley's own words, in rows.
  await ask(request, {
    ...LICENCE,
    agent: "rtl-rows",
    question_text: "أي رخصة؟",
    allow_other: true,
    options: options.map((option) => ({ ...option, description: "وصف" })),
  });
  await visit(page, "/?agent=rtl-rows");
  const end = async (text: string) => {
    const place = await card.getByText(text, { exact: true }).boundingBox();
    return Math.round((place?.x ?? 0) + (place?.width ?? 0));
  };
  await expect(card.getByText("Other…", { exact: true })).toBeVisible();
  expect(await end("Other…")).toBe(await end("نعم"));
});
