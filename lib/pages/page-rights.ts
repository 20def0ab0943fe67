import type { Needs } from "../protocol/actor.ts";

/** What each page needs: one of these rights, or nothing. */
export const PAGE_RIGHTS: Readonly<Record<string, Needs>> = {
  "/": ["read"],
  "/conversations": ["read"],
  "/conversations/{id}": ["read"],
  "/insights": ["read"],
  "/connect": ["read"],
  "/gallery": ["read"],
  "/me": ["read"],
  "/notifications": ["read"],
  "/people": ["read"],
  "/spaces": ["read"],
  "/keys": ["read"],
  "/device": ["read"],
  "/sign-in": "anyone",
  "/sign-in/callback": "anyone",
  "/setup": "anyone",
  "/join": "anyone",
  "/reset": "anyone",
};

/** Files that every page loads. They are the same for everyone and contain no data. */
const FILES = /^\/(_next\/static\/[\w./%~@-]+|favicon\.(svg|ico)|icon-[a-z]*-?\d+\.png|manifest\.webmanifest|sw\.js)$/;

const PATTERNS = Object.entries(PAGE_RIGHTS).map(
  ([path, rights]) => [new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`), rights] as const,
);
/** For a path that is not a page either, because its reply shows Parley's frame. */
const OTHER: Needs = ["read"];

/** The rights that this address accepts; undefined for a file that is the same for everyone. */
export function rightsOfPage(url: string): Needs | undefined {
  const [path = ""] = url.split("?");
  // A path with dots could lead out of the folder of files.
  if (FILES.test(path) && !/\.\.|%2e/i.test(path)) return undefined;
  return PATTERNS.find(([pattern]) => pattern.test(path))?.[1] ?? OTHER;
}
