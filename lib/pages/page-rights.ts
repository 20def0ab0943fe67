import { on, type Resource } from "../protocol/access.ts";
import type { Needs } from "../protocol/actor.ts";

const OPEN = { needs: "anyone", resource: "none" } as const;

/** What each page is about, and the rights of which its visitor needs one. */
export const PAGE_ACCESS: Readonly<Record<string, { needs: Needs; resource: Resource }>> = {
  "/": on("lists", "read"),
  "/conversations": on("lists", "read"),
  "/conversations/{id}": on("conversation", "read"),
  "/insights": on("lists", "read"),
  "/connect": on("none", "read"),
  "/gallery": on("none", "read"),
  "/me": on("self", "read"),
  "/notifications": on("self", "read"),
  "/people": on("team", "read"),
  "/spaces": on("team", "read"),
  "/keys": on("self", "read"),
  "/device": on("self", "read"),
  "/sign-in": OPEN,
  "/sign-in/callback": OPEN,
  "/setup": OPEN,
  "/join": OPEN,
  "/reset": OPEN,
};

/** Files that every page loads. They are the same for everyone and contain no data. */
const FILES = /^\/(_next\/static\/[\w./%~@-]+|favicon\.(svg|ico)|icon-[a-z]*-?\d+\.png|manifest\.webmanifest|sw\.js)$/;

const PATTERNS = Object.entries(PAGE_ACCESS).map(
  ([path, { needs }]) => [new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`), needs] as const,
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
