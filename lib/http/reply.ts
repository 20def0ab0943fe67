import type { ServerResponse } from "node:http";

/** What every reply says, pages included. */
export const SECURITY = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** What every reply but a page says. */
export const SECURITY_OF_DATA = {
  ...SECURITY,
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

const HEAD = Object.entries({ ...SECURITY_OF_DATA, "content-type": "application/json" }).flat();

/** Names and values in one list: the one form of headers that Node writes without looking each of them up. */
export function replyJson(
  res: ServerResponse,
  status: number,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  res.writeHead(status, [...HEAD, "content-length", length, ...Object.entries(headers).flat()]).end(text);
}
