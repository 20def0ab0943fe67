import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Actor } from "../protocol/actor.ts";
import { ParleyError } from "../protocol/errors.ts";
import type { Me } from "../protocol/sign-in.ts";

/** Who visits a page, the address they come from, and what they can read about themselves. */
export type Visitor = { actor: Actor; address: string; me: Me };

/** Only the main process writes this header: it overwrites what a request from outside has under this name. */
export const VISITOR_HEADER = "x-parley-visitor";

/**
 * The visitors whose pages are being rendered. The page process gets a random name for each and reads with it, because a
 * visitor of many spaces does not fit into a header. So it can read only as someone who is waiting for a page.
 */
export class Visitors {
  readonly #visitors = new Map<string, Visitor>();

  /** Lets the page process read as this visitor while the work lasts. */
  async during(visitor: Visitor, work: (name: string) => Promise<void>): Promise<void> {
    const name = randomUUID();
    this.#visitors.set(name, visitor);
    try {
      await work(name);
    } finally {
      this.#visitors.delete(name);
    }
  }

  of({ [VISITOR_HEADER]: name }: IncomingHttpHeaders): Visitor {
    const visitor = this.#visitors.get(String(name));
    if (!visitor) throw new ParleyError("unauthorized", "This page has no visitor.");
    return visitor;
  }
}
