import { describe, expect, test } from "vitest";
import type { InboxItem } from "../../protocol/inbox.ts";
import { ring } from "./ring.ts";

const item = (texts: Partial<InboxItem>) =>
  ({ agent: "builder", title: null, question: "Ship it?", ...texts }) as InboxItem;
const XTERM = { TERM: "xterm-256color" };

test("rings and shows the question, in the way that the terminal knows", () => {
  expect(ring(item({}), XTERM)).toBe("\u0007\u001b]9;Parley: builder has a question: Ship it?\u001b\\");
  const notified = "\u0007\u001b]777;notify;builder has a question;Ship it?\u001b\\";
  for (const env of [{ TERM: "rxvt-unicode-256color" }, { TERM: "foot" }, { ...XTERM, VTE_VERSION: "7200" }])
    expect(ring(item({}), env)).toBe(notified);
  for (const env of [{}, { TERM: "dumb" }, { TERM: "linux" }, { TERM: "vt220" }])
    expect(ring(item({}), env)).toBe("\u0007");
});

describe.each([XTERM, { TERM: "foot" }])("on %o", (env) => {
  // What comes between the start and the end of the sequence must be text.
  const inside = (texts: Partial<InboxItem>) => {
    const [, text] = /^\u0007\u001b\](.*)\u001b\\$/s.exec(ring(item(texts), env)) ?? [];
    return text ?? "";
  };

  test.each([
    ["BEL", "\u0007"],
    ["ST", "\u001b\\"],
    ["ST of eight bits", "\u009c"],
    ["CSI of eight bits", "\u009b2J"],
    ["CAN and SUB, which end every sequence", "\u0018\u001a"],
    ["a new line", "\r\n"],
    ["marks that reorder text", "\u202e\u2066"],
  ])("an agent cannot end the sequence with %s", (_, evil) => {
    const text = inside({ agent: `a${evil}b`, question: `c${evil}\u001b]52;c;ZXZpbA==${evil}d` });
    expect(text).not.toBe("");
    expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  });

  test("an agent gets no field and no command of its own", () => {
    const text = inside({ agent: "4;1;50", question: "7;touch x;y" });
    expect(text).toMatch(/^(9;Parley: 4|777;notify;4,1,50 has a question;7,touch x,y$)/);
  });

  test("a long question is cut", () => {
    expect(inside({ agent: "名".repeat(500), question: "🦜".repeat(5_000) }).length).toBeLessThan(600);
  });
});
