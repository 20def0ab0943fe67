import type { IncomingHttpHeaders } from "node:http";
import type { Actor } from "../protocol/actor.ts";
import { ParleyError } from "../protocol/errors.ts";
import type { Me } from "../protocol/sign-in.ts";

/** Who visits a page, the address they come from, and what they can read about themselves. */
export type Visitor = { actor: Actor; address: string; me: Me };

/** Only the main process writes this header: it overwrites what a request from outside has under this name. */
export const VISITOR_HEADER = "x-parley-visitor";

/** Encoded, because a name may have characters that a header cannot carry. */
export function writeVisitor(visitor: Visitor): string {
  return encodeURIComponent(JSON.stringify(visitor));
}

export function readVisitor({ [VISITOR_HEADER]: text }: IncomingHttpHeaders): Visitor {
  if (typeof text !== "string" || text === "") throw new ParleyError("unauthorized", "This page has no visitor.");
  return JSON.parse(decodeURIComponent(text));
}
