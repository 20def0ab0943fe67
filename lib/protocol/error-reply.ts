import { type ErrorCode, type ErrorDetails, ParleyError, toldOf } from "./errors.ts";

/** Logs the cause of an unexpected error under the reference that its caller gets. */
export type ReportInternal = (reference: string, error: unknown) => void;

export type ErrorReply = { code: ErrorCode; message: string; details?: ErrorDetails };

/**
 * Turns anything thrown into what the caller gets; HTTP, sockets and MCP only add their own wrapping. The cause of an
 * unexpected error stays in the log because it may hold data of other people.
 */
export function toErrorReply(error: unknown, onInternal: ReportInternal): ErrorReply {
  const { code, message, details } = toldOf(error) ?? internal(error, onInternal);
  return { code, message, ...(details !== undefined && { details }) };
}

function internal(error: unknown, onInternal: ReportInternal): ParleyError {
  const reference = crypto.randomUUID();
  onInternal(reference, error);
  const message = `Something went wrong inside Parley. Look up the reference ${reference} in its log.`;
  return new ParleyError("internal", message, { reference });
}
