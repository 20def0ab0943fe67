import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PAGE_ACCESS, rightsOfPage } from "./page-rights.ts";

const APP = join(import.meta.dirname, "../../app");

test("every page declares its rights, and nothing else does", () => {
  const files = readdirSync(APP, { recursive: true, encoding: "utf8" });
  const pages = files
    .filter((file) => /(^|\/)page\.tsx$/.test(file))
    .map((file) => `/${file.replace(/\/?page\.tsx$/, "").replace(/\[(\w+)\]/g, "{$1}")}`);
  expect(pages.length).toBeGreaterThan(4);
  expect(Object.keys(PAGE_ACCESS).sort()).toEqual(pages.sort());
});

test.each(["/", "/?q=1", "/conversations", "/conversations/ses_1", "/conversations/ses_1?round=2", "/gallery"])(
  "the page %s needs the right to read",
  (url) => {
    expect(rightsOfPage(url)).toEqual(["read"]);
  },
);

test.each([
  "/_next/static/chunks/main-1a2b.js",
  "/_next/static/media/inter.woff2?v=1",
  "/favicon.svg",
  "/favicon.ico",
  "/icon-192.png",
  "/icon-maskable-512.png",
  "/manifest.webmanifest",
])("the file %s is the same for everyone", (url) => {
  expect(rightsOfPage(url)).toBeUndefined();
});

test.each([
  "/nothing",
  "/_next/data/build/index.json",
  "/_next/static/../../conversations",
  "/_next/static/%2e%2e/%2E%2E/conversations",
  "/_next/image?url=/favicon.svg",
  "//conversations",
  "/favicon.svg/conversations",
  "/conversations/ses_1/_next/static/x.js",
])("%s is neither a page nor a file that everyone may have: it needs the right to read", (url) => {
  expect(rightsOfPage(url)).toEqual(["read"]);
});
