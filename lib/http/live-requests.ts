import type { IncomingMessage, ServerResponse } from "node:http";
import type { ReportInternal } from "../protocol/error-reply.ts";
import { replyError } from "./reply-error.ts";

/** A request that takes longer than this is waiting: for an answer, or for events. */
const WAITING_MS = 1_000;

const SIGNING_IN = "/api/auth/";

export type LiveRequests = {
  add: (req: IncomingMessage, res: ServerResponse) => void;
  /** Ends the requests of callers who are no longer who they were: their key was revoked, or their session ended. */
  recheck: () => Promise<void>;
};

/**
 * Requests under way. A caller may wait for hours on one request, and whoever is shut out meanwhile must not get the answer.
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
      // Whoever is about to sign in is nobody until they have: on a busy machine, that takes longer than a moment.
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
