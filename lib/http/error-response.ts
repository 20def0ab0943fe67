import { ERRORS, isParleyError, ParleyError } from "../protocol/errors.ts";
import { errorMessage } from "./language.ts";

export type ErrorBody = { success: false; error: { code: string; message: string; details?: unknown } };

/**
 * What a caller is told about an error, in their language; `code` and `details` are the same in all. The cause of an error
 * that is not the caller's stays in the log, under a reference.
 */
export function errorBody(
  error: unknown,
  onInternal: (reference: string, error: unknown) => void,
  acceptLanguage?: string,
): { status: number; body: ErrorBody; headers: Record<string, string> } {
  const told = isParleyError(error) ? error : internal(error, onInternal);
  const { code, details } = told;
  const message = errorMessage(acceptLanguage, told);
  const headers: Record<string, string> = {};
  if (code === "rate_limited") headers["retry-after"] = String(retryAfter(details));
  if (code === "payload_too_large") headers.connection = "close";
  return {
    status: ERRORS[code].http,
    body: { success: false, error: { code, message, ...(details !== undefined && { details }) } },
    headers,
  };
}

/** Seconds; a limit that knows no better time is worth another try after one. */
function retryAfter(details: unknown): number {
  const known = typeof details === "object" && details !== null && "retry_after" in details;
  return known ? Number(details.retry_after) : 1;
}

function internal(error: unknown, onInternal: (reference: string, error: unknown) => void): ParleyError {
  const reference = crypto.randomUUID();
  onInternal(reference, error);
  return new ParleyError("internal", "Something went wrong inside Parley. The reference finds the cause in its log.", {
    reference,
  });
}
