import type { Page } from "@playwright/test";
import { ask, cardMenu, openCards, ready, visit } from "./asking.ts";
import { expect, test } from "./fixtures.ts";

/** Payloads that would run, load or navigate if they were taken for anything but text. */
const SEEDS = [
  "<script>window.hit=1</script>",
  "<img src=x onerror=window.hit=1>",
  '"><svg onload=window.hit=1>',
  "<iframe srcdoc='<script>parent.hit=1</script>'></iframe>",
  "<style>@import url(http://evil.example/x.css)</style>",
  "<link rel=stylesheet href=http://evil.example/x.css>",
  "<math><mtext><script>window.hit=1</script></mtext></math>",
  "<details open ontoggle=window.hit=1>",
  "<a href=javascript:window.hit=1>x</a>",
  "[x](javascript:window.hit=1)",
  "[x](JaVaScRiPt:window.hit=1)",
  "[x](data:text/html,<script>window.hit=1</script>)",
  "[x](vbscript:window.hit)",
  "![x](http://evil.example/beacon.png)",
  "![x](//evil.example/beacon.png)",
  "[![x](http://evil.example/b.png)](http://evil.example)",
  "<http://evil.example/auto>",
  "![x][ref]\n\n[ref]: http://evil.example/ref.png",
  "```html\n<script>window.hit=1</script>\n```",
  "| a |\n|---|\n| <img src=x onerror=window.hit=1> |",
  "<base href=http://evil.example>",
  "<meta http-equiv=refresh content=0;url=http://evil.example>",
  "<form action=http://evil.example><input name=a></form>",
  "<object data=http://evil.example></object>",
  "<video src=http://evil.example/v.mp4 autoplay>",
  "{{constructor.constructor('window.hit=1')()}}",
  "$\u007Bwindow.hit=1}",
  "\u202Egpj.exe\u202C\u200B",
  "__proto__",
  "<!--<img src=x onerror=window.hit=1>-->",
  "&lt;script&gt;window.hit=1&lt;/script&gt;",
  "<svg><animate onbegin=window.hit=1 attributeName=x dur=1s>",
  '[x](http://evil.example/ "onmouseover=window.hit=1")',
  "<input autofocus onfocus=window.hit=1>",
  "$$\\href{javascript:window.hit=1}{x}$$",
];
const WRAPS = [
  (text: string) => text,
  (text: string) => `# ${text}`,
  (text: string) => `- ${text}\n- ${text}`,
  (text: string) => `> ${text}`,
  (text: string) => `**${text}**`,
  (text: string) => `a ${text} b`,
  (text: string) => text.toUpperCase(),
  (text: string) => text.replaceAll(" ", "\t"),
  (text: string) => `${text}${text}`,
  (text: string) => `\`${text}\``,
  (text: string) => `1. ${text}`,
  (text: string) => text.replaceAll("<", "<\u200B"),
  (text: string) => `[${text}](${text})`,
  (text: string) => `<div>${text}</div>`,
  (text: string) => `${text}\n\n---\n\n${text}`,
];
test.use({ settings: { ASK_MAX_OPTIONS: "35" } });

const PAYLOADS = SEEDS.flatMap((seed) => WRAPS.map((wrap) => wrap(seed)));

async function unharmed(page: Page): Promise<void> {
  expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBeUndefined();
  await expect(page.locator("main :is(script, iframe, object, embed, video, base, img, form[action])")).toHaveCount(0);
  const links = await page
    .locator("main a")
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).protocol));
  expect(links.filter((protocol) => !["http:", "https:", "mailto:"].includes(protocol))).toEqual([]);
  for (const rel of await page
    .locator("main a[target=_blank]")
    .evaluateAll((all) => all.map((link) => link.getAttribute("rel"))))
    expect(rel).toContain("noopener");
}

test(`${PAYLOADS.length} hostile payloads in every field of an agent run nothing and send nothing`, async ({
  page,
  request,
}) => {
  expect(PAYLOADS.length).toBeGreaterThanOrEqual(500);
  const size = 35;
  for (let from = 0; from < PAYLOADS.length; from += size) {
    const some = PAYLOADS.slice(from, from + size);
    const at = (index: number) => some[index % some.length] ?? "x";
    const asked = await ask(request, {
      agent: at(0).slice(0, 90),
      title: at(1),
      question_text: at(2),
      header: at(3).slice(0, 90),
      description: some.join("\n\n"),
      type: "checkbox",
      allow_other: true,
      agent_path: at(4),
      context: [{ path: at(5), lines: at(6).slice(0, 40), text: some.join("\n") }],
      metadata: { note: some },
      options: some.map((text, index) => ({
        id: `o${index}`,
        label: text.slice(0, 400),
        description: text,
        preview: text,
        default: index === 0,
      })),
    });
    // Messages of people and agents go through the thread too.
    await request.post(`/api/sessions/${asked.session_id}/messages`, { data: { text: some.join("\n") } });
    await visit(page, `/conversations/${asked.session_id}`);
    await expect(openCards(page)).toBeVisible();
    await page
      .locator("article details")
      .first()
      .evaluate((details) => details.setAttribute("open", ""));
    await unharmed(page);
    if (from === 0) {
      await ready(page);
      // With the keyboard: the long texts above are still being laid out, and a click could hit the row that moves below it.
      for (const box of [
        openCards(page).getByRole("checkbox").nth(1),
        openCards(page).getByRole("checkbox", { name: "Other…" }),
      ]) {
        await box.press("Space");
        await expect(box).toBeChecked();
      }
      await openCards(page).getByRole("textbox", { name: "Your own answer" }).fill(some.join("\n"));
      const settled = page.locator("article[data-status=answered]");
      // A press while the texts above still move sends nothing.
      await expect(async () => {
        if ((await settled.count()) > 0) return;
        await openCards(page)
          .getByRole("button", { name: /Submit/ })
          .click({ timeout: 5_000 });
        await expect(settled).toBeVisible({ timeout: 5_000 });
      }).toPass();
      await unharmed(page);
      await visit(page, "/conversations");
      await unharmed(page);
    }
  }
  await visit(page, "/");
  await expect(page.locator("[data-item]").first()).toBeVisible();
  await unharmed(page);
});

test("an agent's markdown messages run nothing and send nothing", async ({ page, request }) => {
  const lines = PAYLOADS.map((text, number) =>
    JSON.stringify({
      type: "assistant",
      uuid: `u${number}`,
      parentUuid: number === 0 ? null : `u${number - 1}`,
      sessionId: "hostile",
      timestamp: new Date(1_760_000_000_000 + number).toISOString(),
      message: {
        role: "assistant",
        content: [
          number % 5 === 0
            ? { type: "tool_use", id: `t${number}`, name: text.slice(0, 50), input: { text } }
            : number % 5 === 1
              ? { type: "thinking", thinking: text }
              : { type: "text", text },
        ],
      },
    }),
  );
  const imported = await request.post("/api/sessions/import", {
    headers: { "content-type": "application/x-ndjson" },
    data: `${lines.join("\n")}\n`,
  });
  const { session_id } = await imported.json();
  await visit(page, `/conversations/${session_id}`);
  await expect(page.locator("[data-kind=text]").first()).toBeVisible();
  const scroller = page.locator(".thread-scroller");
  await expect
    .poll(async () => {
      await scroller.evaluate((place) => place.scrollTo({ top: -place.scrollHeight }));
      return page.locator("[data-sequence='1']").count();
    })
    .toBe(1);
  await unharmed(page);
});

test("a person answers what they saw: the answer carries the hash of the card, and another hash is refused", async ({
  page,
  request,
}) => {
  const asked = await ask(request, { question_text: "Bound?", type: "boolean" });
  await visit(page, `/conversations/${asked.session_id}`);
  await cardMenu(openCards(page), "What the agent sent");
  await expect(page.getByRole("dialog")).toContainText(asked.content_hash);
  await page.keyboard.press("Escape");
  const sent = page.waitForRequest("**/api/task/answer?*");
  await openCards(page).getByRole("radio", { name: "Yes" }).check();
  await openCards(page)
    .getByRole("button", { name: /Submit/ })
    .click();
  expect((await sent).postDataJSON().content_hash).toBe(asked.content_hash);
  const other = await ask(request, { question_text: "Other?", type: "boolean" });
  const refused = await request.post("/api/task/answer", {
    data: {
      session_id: other.session_id,
      tool_use_id: other.tool_use_id,
      answers: { [other.questions[0]?.question_id ?? ""]: true },
      content_hash: asked.content_hash,
    },
  });
  expect(refused.status()).toBeGreaterThanOrEqual(400);
});

test("markdown is rendered if that is cheap, and shown as plain text if it would freeze the page", async ({
  page,
  request,
}) => {
  const said = (content: object) => ({ type: "assistant", message: { role: "assistant", content: [content] } });
  const rounds = Array.from({ length: 60 }, (_, n) =>
    said({ type: "tool_use", id: `r${n}`, name: "request_input", input: { question: `Question number ${n}?` } }),
  );
  const lines = [
    ...rounds,
    said({ type: "text", text: "*a_".repeat(6_000) }),
    said({ type: "text", text: `${"> ".repeat(5_000)}x` }),
    said({ type: "text", text: "An **important** word." }),
  ];
  const imported = await request.post("/api/sessions/import", {
    headers: { "content-type": "application/x-ndjson" },
    data: lines.map((line) => JSON.stringify(line)).join("\n"),
  });
  const { session_id } = await imported.json();
  await visit(page, `/conversations/${session_id}`);
  await expect(page.locator("strong", { hasText: "important" })).toBeVisible();
  await expect(page.getByText("Shown as plain text")).toHaveCount(2);
  await expect(page.getByText("*a_*a_*a_")).toHaveCount(1);
  // The page loaded only the newest rounds.
  await page.getByRole("button", { name: "Show rounds" }).click();
  await expect(page.getByRole("complementary").getByText("Question number 0?")).toBeVisible();
});
