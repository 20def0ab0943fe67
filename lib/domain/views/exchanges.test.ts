import { expect, test } from "vitest";
import type { MessageView } from "../../protocol/message.ts";
import { exchangesOf } from "./exchanges.ts";

const thread = (...said: Array<[MessageView["role"], MessageView["type"]]>): MessageView[] =>
  said.map(
    ([role, type], index) =>
      ({
        sequence_num: index + 1,
        uuid: `m${index}`,
        parentUuid: null,
        turn_id: null,
        type,
        role,
        content: { text: `said ${index + 1}` },
        metadata: null,
        timestamp: new Date(0).toISOString(),
      }) as MessageView,
  );

test("an exchange begins with a person's message, not with a reply, a tool, a question or its answer", () => {
  const messages = thread(
    ["assistant", "text"],
    ["user", "text"],
    ["assistant", "thinking"],
    ["assistant", "tool_use"],
    ["user", "tool_result"],
    ["assistant", "ask_user_question"],
    ["user", "tool_result"],
    ["assistant", "complete"],
    ["user", "text"],
    ["assistant", "text"],
  );
  expect(exchangesOf(messages, 0)).toEqual([
    { number: 1, sequence_num: 2, text: "said 2" },
    { number: 2, sequence_num: 9, text: "said 9" },
  ]);
});

test("a page that begins in the middle continues the count; if nobody has spoken there are none", () => {
  expect(exchangesOf(thread(["user", "text"]), 41).map(({ number }) => number)).toEqual([42]);
  expect(exchangesOf(thread(["assistant", "ask_user_question"]), 0)).toEqual([]);
});
