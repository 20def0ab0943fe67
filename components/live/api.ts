"use client";

import { ClientError, createClient, type PageClient } from "../../lib/client.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { OperationId } from "../../lib/protocol/operations.ts";
import { personName } from "../preferences/preferences.ts";
import { askToConfirm } from "./confirmation.ts";
import { keepPageSecret, pageSecret } from "./page-secret.ts";
import { endSession, hasSessionEnded } from "./session.ts";

const client = createClient({
  headers: (): Record<string, string> => {
    const name = personName();
    return name ? { "x-parley-name": encodeURIComponent(name) } : {};
  },
});

/** Calls that sign people in. If one is refused, that says nothing about the session. */
const SIGNS_IN: ReadonlySet<OperationId> = new Set<OperationId>([
  "me",
  "readLink",
  "setUp",
  "signIn",
  "signOut",
  "startOidc",
  "finishOidc",
  "passkeyOptions",
  "passkeySignIn",
  "acceptInvitation",
  "resetPassword",
]);

/** Notices that the session has ended. Until the person has signed in again, nothing else is sent. */
async function signedIn<Value>(request: () => Promise<Value>, id?: OperationId): Promise<Value> {
  if (id && SIGNS_IN.has(id)) return request();
  if (hasSessionEnded()) throw new ClientError("unauthorized", "Your session has ended. Sign in again.");
  const secret = pageSecret();
  try {
    return await request();
  } catch (error) {
    if (errorCode(error) === "unauthorized")
      endSession(secret, error instanceof ClientError ? error.details?.reason : undefined);
    throw error;
  }
}

/** Asks the person who they are where that is needed, and then calls again. */
async function confirmed<Value>(request: () => Promise<Value>): Promise<Value> {
  try {
    return await request();
  } catch (error) {
    const methods = error instanceof ClientError && error.code === "confirm_required" && (error.details?.methods ?? []);
    if (!methods || !(await askToConfirm(methods))) throw error;
    return request();
  }
}

/** The REST client of this page, as the person who uses it. */
export const api: Omit<PageClient, "get"> = {
  call: async (id, options) => {
    const reply = await confirmed(() => signedIn(() => client.call(id, options), id));
    if ("page_secret" in reply) await keepPageSecret(String(reply.page_secret));
    return reply;
  },
  fetch: (id, options) => confirmed(() => signedIn(() => client.fetch(id, options), id)),
  open: (path) => signedIn(() => client.open(path)),
};

/** The current state of an ask. */
export async function readAsk({
  session_id,
  tool_use_id,
}: Pick<AskView, "session_id" | "tool_use_id">): Promise<AskView> {
  return (await api.call("readAsk", { params: { tool_use_id }, query: { session_id } })).ask;
}

/** Whether the server found something wrong with this field of a request. */
export function isProblemWith(error: unknown, path: string): boolean {
  const { problems = [] } = (error instanceof ClientError && error.details) || {};
  return problems.some((problem) => problem.path === path || problem.path.startsWith(`${path}.`));
}

export function errorCode(error: unknown): string {
  return error instanceof ClientError ? error.code : "internal";
}

type TranslateCode = (code: string) => string | undefined;
let translate: TranslateCode = () => undefined;

/** Sets the translations used for error messages in this tab. */
export function setErrorTexts(next: TranslateCode): void {
  translate = next;
}

/** Errors whose message says exactly what is wrong; it is shown after the translation. */
const SPECIFIC = ["invalid_request", "invalid_answer", "forbidden"];

/** The text of an error, as shown to the person. */
export function errorText(error: unknown): string {
  return textOf(errorCode(error), error instanceof Error ? error.message : String(error));
}

/** The text for an error code, or the message if the code has none. */
export function textOf(code: string, message: string): string {
  const text = translate(code);
  if (text === undefined) return message;
  return SPECIFIC.includes(code) ? `${text} (${message})` : text;
}
