import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";

/** Headers of every response, pages included. */
export const SECURITY = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy":
    "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=(), serial=(), hid=(), bluetooth=()",
};

/** Headers of every response except pages. */
export const SECURITY_OF_DATA = {
  ...SECURITY,
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

const HEAD = Object.entries({ ...SECURITY_OF_DATA, "content-type": "application/json" }).flat();

/** Headers go in one flat list, the only form that Node writes without looking up each of them. */
export function replyJson(
  res: ServerResponse,
  status: number,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
): void {
  // A caller who lost access while waiting has already had a reply.
  if (res.writableEnded) return;
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  res.writeHead(status, [...HEAD, "content-length", length, ...Object.entries(headers).flat()]).end(text);
}

/** Replies with any other content; `headers` override the usual ones. */
export function reply(res: ServerResponse, content: string | Buffer, headers: Record<string, string>): void {
  const length = Buffer.byteLength(content);
  res.writeHead(200, { ...SECURITY_OF_DATA, ...headers, "content-length": length }).end(content);
}

/** Sends content as it comes, at the pace of the reader, who may leave at any time. */
export async function pipe(content: AsyncIterable<string | Uint8Array>, res: ServerResponse): Promise<void> {
  await pipeline(content, res).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  });
}
