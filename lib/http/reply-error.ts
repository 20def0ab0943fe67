import type { ServerResponse } from "node:http";
import { type ErrorReply, type ReportInternal, toErrorReply } from "../protocol/error-reply.ts";
import { ERRORS } from "../protocol/errors.ts";
import { errorMessage } from "./language.ts";
import { replyJson } from "./reply.ts";

export type ErrorBody = { success: false; error: ErrorReply };

/** The error envelope, with its message in the caller's language; `code` and `details` are the same in every language. */
export function errorBody(error: unknown, onInternal: ReportInternal, acceptLanguage?: string): ErrorBody {
  const { code, message, ...rest } = toErrorReply(error, onInternal);
  return {
    success: false,
    error: { code, message: errorMessage(acceptLanguage, { code, message, ...rest }), ...rest },
  };
}

/** The status and headers that go with an error envelope. */
export function errorHead({ error: { code, details } }: ErrorBody): {
  status: number;
  headers: Record<string, string>;
} {
  const headers: Record<string, string> = {};
  // In seconds. If the end of the limit is unknown, the client may try again after one.
  if (code === "rate_limited") headers["retry-after"] = String(details?.retry_after ?? 1);
  if (code === "method_not_allowed") headers.allow = (details?.allow ?? []).join(", ");
  if (code === "payload_too_large") headers.connection = "close";
  return { status: ERRORS[code].http, headers };
}

/** Replies with the error. If the reply has already begun, it can only break off. */
export function replyError(res: ServerResponse, error: unknown, onInternal: ReportInternal): void {
  const body = errorBody(error, onInternal, res.req.headers["accept-language"]);
  if (res.headersSent) return void res.destroy();
  const { status, headers } = errorHead(body);
  replyJson(res, status, body, headers);
}
