"use client";

import { ClientError, createClient } from "../../lib/client.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import { personName } from "../preferences/preferences.ts";

/** The REST client of this page, as the person who uses it. */
export const api = createClient({
  headers: (): Record<string, string> => {
    const name = personName();
    return name ? { "x-parley-name": encodeURIComponent(name) } : {};
  },
});

/** The current state of an ask. */
export async function readAsk({
  session_id,
  tool_use_id,
}: Pick<AskView, "session_id" | "tool_use_id">): Promise<AskView> {
  return (await api.call("readAsk", { params: { tool_use_id }, query: { session_id } })).ask;
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
const SPECIFIC = ["invalid_request", "invalid_answer"];

/** The text of an error, as shown to the person. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = errorCode(error);
  const text = translate(code);
  if (text === undefined) return message;
  return SPECIFIC.includes(code) ? `${text} (${message})` : text;
}
