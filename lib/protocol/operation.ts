import type { z } from "zod";
import type { Resource } from "./access.ts";
import type { Needs } from "./actor.ts";
import type { ErrorCode } from "./errors.ts";

type Fields = z.ZodObject<Record<string, z.ZodType>>;

/** One REST call. Routes, validation and the OpenAPI document are all derived from these. */
export type Operation = {
  method: "get" | "post";
  /** With `{name}` for each parameter. */
  path: string;
  /**
   * The caller needs one of these rights; `anyone` includes callers who are not signed in. A use case can require more, for
   * example that the question is the caller's own.
   */
  needs: Needs;
  resource: Resource;
  /**
   * Whether the person must have proved a short while ago who they are, for all bodies or for some: what it does would outlast
   * a session that someone else has got hold of.
   */
  confirm?: true | ((body: never) => boolean);
  summary: string;
  description?: string;
  params?: Fields;
  query?: Fields;
  /** Validated before the handler runs. */
  body?: z.ZodType;
  /** Documented instead of `body`, if the hub validates more. */
  documentedBody?: z.ZodType;
  bodyType?: "json" | "jsonl";
  responseType?: "json" | "jsonl" | "file" | "events";
  status: 200 | 201 | 202;
  response: z.ZodObject;
  /** In addition to those that every call accepts. */
  headers?: Array<"Idempotency-Key" | "Last-Event-ID">;
  /** In addition to those that every call can return: `errorsOf`. */
  errors: ErrorCode[];
};

/** Errors that any call can return: the request may be malformed, too large or not allowed, or Parley may fail. */
const ERRORS_OF_ALL = [
  "invalid_request",
  "payload_too_large",
  "unauthorized",
  "forbidden",
  "rate_limited",
  "storage_unavailable",
  "internal",
] as const satisfies ErrorCode[];

/** Every error that an operation can return. */
export function errorsOf({ errors, confirm }: Operation): ErrorCode[] {
  return [...errors, ...(confirm ? (["confirm_required"] as const) : []), ...ERRORS_OF_ALL];
}

/** Whether a call with this body asks the person to confirm who they are. */
export function asksToConfirm({ confirm = () => false }: Operation, body: unknown): boolean {
  return confirm === true || (confirm as (body: unknown) => boolean)(body);
}

/** Type-checks an operation where it is defined, and keeps its exact type. */
export const define = <const Defined extends Operation>(operation: Defined) => operation;
