import type { IncomingMessage } from "node:http";
import { invalidRequest } from "../domain/read-input.ts";
import { ParleyError } from "../protocol/errors.ts";

/** The body, refused as soon as it is seen to be too large; never held beyond the limit. */
export function readBody(req: IncomingMessage, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(req.headers["content-length"] ?? 0) > most) return reject(tooLarge(most));
    const chunks: Buffer[] = [];
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= most) return void chunks.push(chunk);
      req.pause();
      chunks.length = 0;
      reject(tooLarge(most));
    });
    req.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
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
