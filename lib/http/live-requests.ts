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
  /** When each of them began. */
  const live = new Map<ServerResponse, number>();
  function onClose(this: ServerResponse): void {
    live.delete(this);
  }
  return {
    add: (req, res) => {
      // Someone who is signing in has no identity until they are done, which can take a while on a busy machine.
      if (req.url?.startsWith(SIGNING_IN)) return;
      live.set(res, performance.now());
      res.on("close", onClose);
    },
    recheck: async () => {
      const before = performance.now() - WAITING_MS;
      for (const [res, since] of [...live]) {
        if (since > before || res.writableEnded) continue;
        try {
          await identify(res.req);
        } catch (error) {
          if (res.headersSent) res.destroy();
          else replyError(res, error, onInternal);
        }
      }
    },
  };
}
