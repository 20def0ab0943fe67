import { describe, expect, test } from "vitest";
import { DATABASES } from "../../lib/db/test-databases.ts";
import type { Ask } from "../../lib/domain/ask.ts";
import { createGates } from "./gates.ts";
import { agent, by, type Node, person, withNodes } from "./node.ts";
import { ORDERS, resume, within } from "./resume.ts";
import { onFreshDatabase, runSmall } from "./test-scenario.ts";

describe.each(DATABASES)("resuming on %s", (kind) => {
  test("the waiter returns whenever the answer lands, and without any wake-up too", { timeout: 120_000 }, async () => {
    const { violations, figures } = await runSmall(resume, kind);
    expect(violations).toEqual([]);
    expect(figures).toMatchObject({ waits: 140, "wake-ups dropped": 70, aborted: 70 });
  });

  test("the orders find out a waiter that looks before it registers", async () => {
    await onFreshDatabase(kind, 1, async ({ databaseUrl }) => {
      const gates = createGates();
      await withNodes(databaseUrl, [{ wrap: gates.wrap }], async ([node]) => {
        const { hub } = node as Node;
        const ask = await hub.ask(by(agent("asker")), { tool_use_id: "t", question: "Go on?" });
        const at = { session_id: ask.conversation_id, tool_use_id: "t" };
        const look = () => hub.wait(by(agent("asker")), { ...at, seconds: 0 });
        const answer = () => hub.answer(by(person("ann")), { ...at, question_id: "t", answers: { t: "yes" } });
        const wait = async (): Promise<Ask> => {
          const found = await look();
          if (found.status !== "pending") return found;
          return new Promise((resolve) => hub.subscribe((event) => event.ask && resolve(event.ask)));
        };
        const order = ORDERS["answered after the look, before it is told"];
        expect(await within(300, order?.({ wait, look, answer, hold: gates.hold }) ?? wait())).toBe("nothing");
      });
    });
  });
});
