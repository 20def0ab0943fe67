import type { IncomingMessage, ServerResponse } from "node:http";
import type { ReportInternal } from "../protocol/error-reply.ts";
import { replyError } from "./reply-error.ts";

/** A request that takes longer than this is waiting: for an answer, or for events. */
const WAITING_MS = 1_000;

const SIGNING_IN = "/api/auth/";

export type LiveRequests = {
  add: (req: IncomingMessage, res: ServerResponse) => void;
  /** Ends the requests of callers whose key was revoked or whose session ended. */
  recheck: () => Promise<void>;
};

/**
 * Requests in progress. A caller may wait for hours on one request, and must not get the answer if it loses access in the
 * meantime.
 */
export function createLiveRequests(
  identify: (req: IncomingMessage) => unknown,
  onInternal: ReportInternal,
): LiveRequests {
  const live = new Map<ServerResponse, { req: IncomingMessage; since: number }>();
  return {
    add: (req, res) => {
      // Someone who is signing in has no identity until they are done, which can take a while on a busy machine.
      if (req.url?.startsWith(SIGNING_IN)) return;
      live.set(res, { req, since: performance.now() });
      res.once("close", () => live.delete(res));
    },
    recheck: async () => {
      const before = performance.now() - WAITING_MS;
      for (const [res, { req, since }] of [...live]) {
        if (since > before || res.writableEnded) continue;
        try {
          await identify(req);
        } catch (error) {
          if (res.headersSent) res.destroy();
          else replyError(res, error, onInternal);
        }
      }
    },
  };
}
