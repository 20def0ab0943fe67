import { expect, test } from "vitest";
import type { MessageView } from "../../../lib/protocol/message.ts";
import { faultsInThread, type Play } from "../kit/agent-thread.ts";
import { runSmall } from "../kit/test-scenario.ts";
import { agent, SECOND } from "./agent.ts";

test("the agent continues with the answer after kill -9", async () => {
  const { violations, figures } = await runSmall(agent, "sqlite");
  expect(violations).toEqual([]);
  expect(figures["turns that went on"]).toBe(agent.size.small);
  expect(figures.kills).toBeGreaterThan(agent.size.small);
  for (const progress of [...SECOND, "answers before the kill"]) expect(figures[progress], progress).toBeGreaterThan(0);
});

const said = (type: MessageView["type"], at: number, content: Record<string, unknown>) =>
  ({ type, sequence_num: at, uuid: `u${at}`, turn_id: "turn", content }) as MessageView;
const intact = [
  said("ask_user_question", 1, { tool_use_id: "t" }),
  said("tool_result", 2, { tool_use_id: "t", content: "8080" }),
];
const [card, result] = intact as [MessageView, MessageView];
const played: Play = {
  message: "",
  answers: [],
  expected: [{ type: "ask_user_question" }, { type: "tool_result", says: "8080" }],
};

test.each([
  ["as it should be", intact, undefined],
  ["with a second card", [card, said("ask_user_question", 2, {}), { ...result, sequence_num: 3 }], /the thread is/],
  ["with a gap", [card, { ...result, sequence_num: 3 }], /in place 2/],
  ["of two turns", [card, { ...result, turn_id: "other" }], /of turn other/],
  ["with another answer", [card, said("tool_result", 2, { tool_use_id: "t", content: "9" })], /does not say 8080/],
  ["with the result of another ask", [card, said("tool_result", 2, { tool_use_id: "u", is: "8080" })], /another ask/],
  ["with a message doubled", [card, { ...result, uuid: card.uuid }], /the same uuid/],
])("a thread %s is judged", (_, messages, fault) => {
  const found = faultsInThread(messages, played, "turn").join("\n");
  if (fault === undefined) expect(found).toBe("");
  else expect(found).toMatch(fault);
});
