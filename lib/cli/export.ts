import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { hubOf } from "./hub.ts";
import { End, EXIT, type Run } from "./terminal.ts";
import { textParts } from "./text-parts.ts";

/** A conversation as JSONL, to a file or to stdout. */
export const run: Run = async (terminal, [id, file]) => {
  if (id === undefined) throw new End(EXIT.badInput, "Usage: parley export SESSION_ID [FILE]");
  const parts = textParts(await hubOf(terminal).fetch("exportSession", { params: { id } }));
  if (file !== undefined) await pipeline(parts, createWriteStream(file));
  else for await (const part of parts) terminal.print(part);
  return EXIT.answered;
};
