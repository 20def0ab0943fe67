import { expect, test } from "vitest";
import { toErrorReply } from "./error-reply.ts";
import { ParleyError } from "./errors.ts";

test("an error of the table is passed on, and is not logged", () => {
  const report = () => {
    throw new Error("nothing to report");
  };
  const limited = new ParleyError("rate_limited", "Too many.", { retry_after: 3 });
  expect(toErrorReply(limited, report)).toEqual({
    code: "rate_limited",
    message: "Too many.",
    details: { retry_after: 3 },
  });
  expect(toErrorReply(new ParleyError("forbidden", "No."), report)).toEqual({ code: "forbidden", message: "No." });
});

test("the cause of any other error goes to the log, and the caller gets a reference to it", () => {
  const causes = new Map<string, unknown>();
  for (const cause of [new Error("password 123"), "password 123", undefined]) {
    const reply = toErrorReply(cause, (reference, error) => causes.set(reference, error));
    const [reference] = [...causes].at(-1) ?? [];
    expect(reply).toMatchObject({
      code: "internal",
      message: expect.stringContaining(String(reference)),
      details: { reference },
    });
    expect(JSON.stringify(reply)).not.toContain("password");
    expect(causes.get(String(reference))).toBe(cause);
  }
});
