import { expect, test } from "vitest";
import type { MessageBody, MessageView } from "../../lib/protocol/message.ts";
import { itemsOf } from "./thread-items.ts";

const thread = (...bodies: MessageBody[]): MessageView[] =>
  bodies.map((body, index) => ({
    ...body,
    sequence_num: index + 1,
    uuid: `u${index}`,
    parentUuid: null,
    turn_id: null,
    metadata: null,
    timestamp: new Date(index).toISOString(),
  }));
const says = (text: string): MessageBody => ({ type: "text", role: "assistant", content: { text } });
const call = (id: string): MessageBody => ({
  type: "tool_use",
  role: "assistant",
  content: { id, name: "bash", input: {} },
});
const result = (tool_use_id: string): MessageBody => ({
  type: "tool_result",
  role: "user",
  content: { tool_use_id, content: "ok" },
});

test("a tool call is shown with its result, whatever stands between them", () => {
  const items = itemsOf(thread(call("a"), call("b"), says("meanwhile"), result("b"), result("a"), result("unknown")));
  expect(items.map(({ message, result: found }) => [message.sequence_num, found?.tool_use_id])).toEqual([
    [1, "a"],
    [2, "b"],
    [3, undefined],
    [6, undefined],
  ]);
});

test("the agent is named once for everything that it says in a row", () => {
  const items = itemsOf(
    thread(
      { type: "text", role: "user", content: { text: "hello" } },
      says("hello"),
      { type: "info", role: "system", content: { event: "depth.limit" } },
      says("more"),
      { type: "complete", role: "assistant", content: {} },
      { type: "text", role: "user", content: { text: "again" } },
      { type: "thinking", role: "assistant", content: { thinking: "hm" } },
      says("yes"),
    ),
  );
  expect(items.filter(({ startsRun }) => startsRun).map(({ message }) => message.sequence_num)).toEqual([2, 7]);
});
