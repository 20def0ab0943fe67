import { answer, ask, LICENCE, live, openCards, readAsk, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";

test("a group is counted and answered as a whole, also where most of it is not loaded", async ({ page, request }) => {
  const agent = "group";
  const alike = { ...LICENCE, agent, question_text: "Same licence?" };
  const first = await ask(request, { ...alike, title: "First of the group" });
  await Promise.all(Array.from({ length: 60 }, (_, number) => ask(request, { agent, question: `Unlike ${number}?` })));
  const others = await Promise.all(Array.from({ length: 70 }, () => ask(request, alike)));
  const final = await ask(request, { ...alike, irreversible: true });
  const differs = await ask(request, {
    ...alike,
    options: LICENCE.options.map((option) => ({ ...option, description: "as amended" })),
  });
  await visit(page, `/?agent=${agent}`);
  await live(page);
  await page.getByRole("button", { name: "Answer 72 together" }).first().click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading", { name: "Answer 71 similar questions" })).toBeVisible();
  await dialog.getByRole("radio", { name: "MIT" }).check();
  await expect(dialog).toContainText("Will send “MIT” to 71 agents.");
  await dialog.getByRole("checkbox", { name: "First of the group" }).uncheck();
  const [lost] = others;
  if (lost) await answer(request, lost, "apache", "Kenji");
  await dialog.getByRole("button", { name: "Answer 70" }).click();
  await expect(dialog).toContainText("69 of 70 sent.");
  await expect(dialog.getByTestId("receipt").first()).toContainText("Someone answered this one first.");
  await dialog.getByRole("button", { name: "Close" }).last().click();
  const answers = await Promise.all(
    others.map(async (each) => (await readAsk(request, each)).result?.answers[0]?.option_ids[0]),
  );
  expect(answers).toEqual(["apache", ...Array(69).fill("mit")]);
  for (const open of [first, final, differs]) expect((await readAsk(request, open)).status).toBe("pending");
  await expect(page.getByRole("button", { name: /^Answer 7\d together/ })).toHaveCount(0);
});

test("an unfolded group shows all of its questions", async ({ page, request }) => {
  const agent = "unfolded";
  const alike = { ...LICENCE, agent, question_text: "Which of many?" };
  await ask(request, { ...alike, title: "Number 1" });
  await Promise.all(
    Array.from({ length: 60 }, (_, number) => ask(request, { agent, question: `Not alike ${number}?` })),
  );
  for (const number of [2, 3]) await ask(request, { ...alike, title: `Number ${number}` });
  await visit(page, `/?agent=${agent}`);
  await page.getByRole("button", { name: "3 similar questions: Which of many?" }).click();
  for (const number of [1, 2, 3]) await expect(page.getByRole("link", { name: `Number ${number}` })).toBeVisible();
  await expect(openCards(page)).toHaveCount(1);
});
