import { type ReportInternal, toErrorReply } from "../protocol/error-reply.ts";
import { ERRORS } from "../protocol/errors.ts";
import type { SocketError } from "../protocol/events.ts";

/** An error for a socket, with the code that sockets use. */
export function socketError(error: unknown, onInternal: ReportInternal): SocketError {
  const { code, ...rest } = toErrorReply(error, onInternal);
  return { code: ERRORS[code].socket, ...rest };
}
