import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childrenOf, isRunning } from "../scripts/throwaway/processes.ts";
import { ask, LICENCE, openCards, settledCards } from "./asking.ts";
import { expect, test } from "./fixtures.ts";
import { startServer } from "./server.ts";

// Pages are rendered in a separate process. These tests find it in /proc.
test.skip(process.platform !== "linux", "needs /proc");

test.describe("a page process that crashes", () => {
  // Parts of a page that load late get a page that says so instead of a script.
  test.use({ expectedErrors: [/503|ERR_|MIME type/] });

  test("disturbs no open page and no question, and pages are soon back", async ({ page, request, server }) => {
    const asked = await ask(request, LICENCE);
    await page.goto(`/conversations/${asked.session_id}`);
    await expect(page.locator("[data-connection=live]")).toBeVisible();
    const before = pageProcessOf(server.pid);
    process.kill(before, "SIGKILL");
    await openCards(page).getByRole("radio", { name: "MIT" }).check();
    await openCards(page)
      .getByRole("button", { name: /Submit/ })
      .click();
    await expect(settledCards(page)).toContainText("MIT");
    // Whether the first reply is a page or says that pages will be back in a moment, the visitor does nothing more.
    await page.reload();
    await expect(settledCards(page)).toContainText("MIT");
    expect(pageProcessOf(server.pid)).not.toBe(before);
  });
});

test("nothing is left of the page process after SIGKILL", async () => {
  const temporary = mkdtempSync(join(tmpdir(), "parley-e2e-tmp-"));
  const server = await startServer({ TMPDIR: temporary });
  const pid = pageProcessOf(server.pid);
  expect(readdirSync(temporary)).toEqual([expect.stringMatching(/^parley-pages-/)]);
  await server.kill();
  await server.stop();
  await expect.poll(() => isRunning(pid)).toBe(false);
  expect(readdirSync(temporary)).toEqual([]);
  rmSync(temporary, { recursive: true });
});

/** The only child of the server. */
function pageProcessOf(server: number): number {
  const [pid] = childrenOf(server);
  if (pid === undefined) throw new Error("There is no page process.");
  return pid;
}
