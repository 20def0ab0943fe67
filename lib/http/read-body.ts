import type { IncomingMessage } from "node:http";
import { invalidRequest } from "../domain/read-input.ts";
import { ParleyError } from "../protocol/errors.ts";

/** The body as text, refused as soon as it is seen to be too large; never held beyond the limit. */
export function readBody(req: IncomingMessage, most: number): Promise<string> {
  return new Promise((resolve, reject) => {
    if (Number(req.headers["content-length"] ?? 0) > most) return reject(tooLarge(most));
    let first: Buffer | undefined;
    const pieces: string[] = [];
    let decoder: TextDecoder | undefined;
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) {
        req.pause();
        pieces.length = 0;
        return reject(tooLarge(most));
      }
      // Decoded as it comes: the whole of a large body at once would hold the thread.
      if (!first && !decoder) {
        first = chunk;
        return;
      }
      decoder ??= new TextDecoder("utf-8", { ignoreBOM: true });
      if (first) pieces.push(decoder.decode(first, { stream: true }));
      first = undefined;
      pieces.push(decoder.decode(chunk, { stream: true }));
    });
    req.on("end", () => resolve(decoder ? pieces.join("") + decoder.decode() : String(first ?? "")));
    const broken = () => reject(invalidRequest([{ path: "", message: "the body broke off" }]));
    req.on("error", broken);
    req.on("close", () => req.complete || broken());
  });
}

function tooLarge(most: number): ParleyError {
  return new ParleyError("payload_too_large", `The body is larger than ${most / 1024 / 1024} MiB.`, {
    max_bytes: most,
  });
}
