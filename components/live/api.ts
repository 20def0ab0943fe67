"use client";

import { ClientError, createClient } from "../../lib/client.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import { personName } from "../preferences/preferences.ts";

/** REST of the Parley that served this page, as the person who uses it. */
export const api = createClient({
  headers: () => {
    const name = personName();
    return name ? { "x-parley-name": encodeURIComponent(name) } : ({} as Record<string, string>);
  },
});

/** An ask as it is now. */
export async function readAsk({
  session_id,
  tool_use_id,
}: Pick<AskView, "session_id" | "tool_use_id">): Promise<AskView> {
  return (await api.call("readAsk", { params: { tool_use_id }, query: { session_id } })).ask;
}

export function errorCode(error: unknown): string {
  return error instanceof ClientError ? error.code : "internal";
}

type Words = (code: string) => string | undefined;
let words: Words = () => undefined;

/** A tab speaks one language at a time: from now on errors are told in this one. */
export function tellErrorsIn(language: Words): void {
  words = language;
}

/** Codes whose message says what exactly is wrong: it is told too, in the words of Parley. */
const SPECIFIC = ["invalid_request", "invalid_answer"];

/** What an error says to the person. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = errorCode(error);
  const told = words(code);
  if (told === undefined) return message;
  return SPECIFIC.includes(code) ? `${told} (${message})` : told;
}
