import type { IncomingMessage } from "node:http";
import { invalidRequest } from "../domain/read-input.ts";
import { ParleyError } from "../protocol/errors.ts";

/** Reads the body. Rejects as soon as it exceeds the limit, and never buffers more than that. */
export function readBody(req: IncomingMessage, max: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(req.headers["content-length"] ?? 0) > max) return reject(tooLarge(max));
    const chunks: Buffer[] = [];
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= max) return void chunks.push(chunk);
      req.pause();
      chunks.length = 0;
      reject(tooLarge(max));
    });
    req.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    const broken = () => reject(invalidRequest([{ path: "", message: "the request body was cut off" }]));
    req.on("error", broken);
    req.on("close", () => req.complete || broken());
  });
}

function tooLarge(max: number): ParleyError {
  return new ParleyError("payload_too_large", `The body is larger than ${max / 1024 / 1024} MiB.`, {
    max_bytes: max,
  });
}
