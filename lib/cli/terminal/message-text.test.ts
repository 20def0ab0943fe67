import { expect, test } from "vitest";
import { MessageType, type MessageView } from "../../protocol/message.ts";
import { messageText } from "./message-text.ts";

const textOf = (type: MessageType, content: Record<string, unknown>, role: MessageView["role"] = "assistant") =>
  messageText({ type, role, content } as MessageView, "builder");

test("puts every kind of message into words", () => {
  expect(textOf("text", { text: "Hello", by: "ann" }, "user")).toBe("ann: Hello");
  expect(textOf("text", { text: "Hello" })).toBe("builder: Hello");
  expect(textOf("thinking", { thinking: "Well" })).toBe("builder thinks: Well");
  expect(textOf("tool_use", { name: "Bash", input: { command: "ls" } })).toBe('→ Bash {"command":"ls"}');
  expect(textOf("tool_result", { content: "a\nb", is_error: false })).toBe("← a b");
  expect(textOf("tool_result", { content: [{ type: "text" }], is_error: true })).toBe('✗ [{"type":"text"}]');
  expect(textOf("error", { text: "It broke" })).toBe("✗ It broke");
  expect(textOf("complete", {})).toBe("■ The agent is done.");
  expect(textOf("info", { event: "depth.limit", limit: 10 }, "system")).toContain("asked 10 times");
  expect(textOf("info", { imported: "summary" }, "system")).toBe("· summary");
});

test("never moves the cursor, whatever a message contains", () => {
  const evil = "\u001b]0;x\u0007\u001b[2J\r\u009b1A\u202e\u0008";
  for (const type of MessageType.options) {
    const content = Object.fromEntries(
      ["text", "by", "thinking", "name", "content", "code", "event", "imported", "input"].map((key) => [key, evil]),
    );
    expect(textOf(type, content, "user")).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  }
});
