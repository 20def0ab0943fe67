import { createWriteStream, renameSync, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { hubOf } from "./hub.ts";
import { End, EXIT, hubUrl, type Run, type Terminal } from "./terminal.ts";
import { textParts } from "./text-parts.ts";

/** A conversation as JSONL, to a file or to stdout. */
export const run: Run = async (terminal, [id, file]) => {
  if (id === undefined) throw new End(EXIT.badInput, "Usage: parley export SESSION_ID [FILE]");
  const reply = await hubOf(terminal).fetch("exportSession", { params: { id } });
  if (!reply.headers.get("content-type")?.startsWith("application/x-ndjson")) {
    throw new End(EXIT.unreachable, `What answers at ${hubUrl(terminal)} is not Parley.`);
  }
  const parts = whole(terminal, textParts(reply));
  if (file !== undefined) await write(parts, file);
  else for await (const part of parts) terminal.print(part);
  return EXIT.answered;
};

async function* whole(terminal: Terminal, parts: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* parts;
  } catch {
    throw new End(EXIT.unreachable, `Parley at ${hubUrl(terminal)} broke off: the export is not whole.`);
  }
}

/** All of it or nothing. */
async function write(parts: AsyncIterable<string>, file: string): Promise<void> {
  const beside = `${file}.${process.pid}.part`;
  try {
    await pipeline(parts, createWriteStream(beside));
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    if (error instanceof End) throw error;
    throw new End(EXIT.badInput, `${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
  }
}
