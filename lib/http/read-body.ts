import type { Context } from "hono";
import { invalidRequest } from "../domain/read-input.ts";
import { ParleyError } from "../protocol/errors.ts";

/** The body as text, refused as soon as it is seen to be too large; never held beyond the limit. */
export async function readBody(c: Context, most: number): Promise<string> {
  const announced = c.req.header("content-length");
  if (announced !== undefined && c.req.header("transfer-encoding") === undefined) {
    if (Number(announced) > most) throw tooLarge(most);
    return c.req.text().catch(() => {
      throw invalidRequest([{ path: "", message: "the body broke off" }]);
    });
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const reader = c.req.raw.body?.getReader();
    for (let read = await reader?.read(); read && !read.done && size <= most; read = await reader?.read()) {
      size += read.value.length;
      chunks.push(read.value);
    }
    if (size > most) void reader?.cancel();
  } catch {
    throw invalidRequest([{ path: "", message: "the body broke off" }]);
  }
  if (size > most) throw tooLarge(most);
  return Buffer.concat(chunks).toString("utf8");
}

function tooLarge(most: number): ParleyError {
  return new ParleyError("payload_too_large", `The body is larger than ${most / 1024 / 1024} MiB.`, {
    max_bytes: most,
  });
}
