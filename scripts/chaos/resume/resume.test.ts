import { describe, expect, test } from "vitest";
import { DATABASES } from "../../../lib/db/test-databases.ts";
import type { Ask } from "../../../lib/domain/ask.ts";
import { yieldTurns } from "../kit/attempt.ts";
import { agent, by, type Node, person, withNodes } from "../kit/node.ts";
import { runSmall, testOptions } from "../kit/test-scenario.ts";
import { createGates } from "./gates.ts";
import { ORDERS, resume } from "./resume.ts";

describe.each(DATABASES)("resuming on %s", (kind) => {
  test("the waiter returns whenever the answer lands, and without any wake-up too", async () => {
    const { violations, figures } = await runSmall(resume, kind);
    expect(violations).toEqual([]);
    expect(figures).toMatchObject({ waits: 140, "wake-ups dropped": 70, aborted: 70 });
  });

  test("detects a waiter that reads before it registers", async () => {
    const { databaseUrl } = await testOptions(kind, 1);
    const gates = createGates();
    await withNodes(databaseUrl, [{ wrap: gates.wrap }], async ([node]) => {
      const { hub } = node as Node;
      const ask = await hub.ask(by(agent("asker")), { tool_use_id: "t", question: "Go on?" });
      const at = { conversation_id: ask.conversation_id, tool_use_id: "t" };
      const look = () => hub.readAsk(by(agent("asker")), at);
      const answer = () => hub.answer(by(person("ann")), { ...at, question_id: "t", answers: { t: "yes" } });
      const wait = async (): Promise<Ask> => {
        const found = await look();
        if (found.status !== "pending") return found;
        return new Promise((resolve) => hub.subscribe((event) => event.ask && resolve(event.ask)));
      };
      let answered = (_ask: Ask) => {};
      const wasAnswered = new Promise<Ask>((resolve) => {
        answered = resolve;
      });
      const order = ORDERS["answered after the look, before the reply"];
      const waiting = order?.({
        reads: true,
        wait,
        look,
        answer: async () => {
          const ask = await answer();
          answered(ask);
          return ask;
        },
        hold: gates.hold,
      });
      await wasAnswered;
      // The answer is in the rows, listeners were notified, and the waiter's own read has returned: it missed the answer.
      const inTheRows = await look();
      await yieldTurns(20);
      expect(inTheRows.status).toBe("answered");
      expect(await Promise.race([waiting, "nothing"])).toBe("nothing");
    });
  });
});
