import { expect, test } from "vitest";
import { nextPath } from "./next-path.ts";

test.each([
  ["/", "/"],
  ["/conversations/ses_1?round=2#m3", "/conversations/ses_1?round=2#m3"],
  ["/?view=settled&q=a%20b", "/?view=settled&q=a%20b"],
  ["/device", "/device"],
])("%s is a path of our own", (given, expected) => {
  expect(nextPath(given)).toBe(expected);
});

test.each([
  null,
  undefined,
  "",
  "https://evil.example/",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/..//evil.example",
  "javascript:alert(1)",
  "evil",
  "/sign-in?next=/",
  "/setup",
  "/join",
])("%s leads to the inbox", (given) => {
  expect(nextPath(given)).toBe("/");
});
