import { expect, test } from "vitest";
import { createBrowserCookie } from "./browser-cookie.ts";

const SECRET = "a secret for tests, and for nothing else";
const cookieOf = (secret = SECRET) => {
  const [cookie = ""] = (createBrowserCookie(secret).forVisitor({}) ?? "").split(";");
  return cookie;
};

test("a browser gets one cookie, which scripts cannot read, and is known by it from then on", () => {
  const cookies = createBrowserCookie(SECRET);
  const issued = cookies.forVisitor({}) ?? "";
  expect(issued).toMatch(
    /^parley-browser-[0-9a-f]{8}=[\w-]{22}\.[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/,
  );
  const [cookie = ""] = issued.split(";");
  for (const header of [cookie, `theme=dark; ${cookie}`, `${cookie}; theme=dark`]) {
    // Twice: the second time it is remembered.
    expect(cookies.isIn({ cookie: header })).toBe(true);
    expect(cookies.isIn({ cookie: header })).toBe(true);
    expect(cookies.forVisitor({ cookie: header })).toBeUndefined();
  }
  expect(cookies.forVisitor({})).not.toBe(issued);
});

test("it is genuine after a restart, and on every node with the same secret", () => {
  expect(createBrowserCookie(SECRET).isIn({ cookie: cookieOf() })).toBe(true);
});

test("another installation on the same machine uses another name, and neither takes the other's cookie", () => {
  const other = cookieOf("another secret, of another installation");
  const [name] = cookieOf().split("=");
  expect(other.split("=")[0]).not.toBe(name);
  expect(createBrowserCookie(SECRET).isIn({ cookie: other })).toBe(false);
  expect(createBrowserCookie(SECRET).isIn({ cookie: `${name}=${other.split("=")[1]}` })).toBe(false);
});

test.each([
  ["nothing", () => undefined],
  ["an empty value", (cookie: string) => `${cookie.split("=")[0]}=`],
  ["no HMAC", (cookie: string) => cookie.split(".")[0]],
  ["another id", (cookie: string) => cookie.replace(/=./, (text) => (text === "=A" ? "=B" : "=A"))],
  ["a changed HMAC", (cookie: string) => cookie.replace(/\../, (text) => (text === ".A" ? ".B" : ".A"))],
  ["a shorter HMAC", (cookie: string) => cookie.slice(0, -4)],
  ["an endless value", (cookie: string) => cookie + "x".repeat(100_000)],
  ["a longer name", (cookie: string) => `x${cookie}`],
])("%s is not a browser, and gets a new cookie", (_, changed) => {
  const cookies = createBrowserCookie(SECRET);
  const cookie = changed(cookieOf());
  expect(cookies.isIn({ ...(cookie && { cookie }) })).toBe(false);
  expect(cookies.forVisitor({ ...(cookie && { cookie }) })).toBeDefined();
});
