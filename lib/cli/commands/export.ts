import { renameSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { hubOf } from "../terminal/hub-client.ts";
import { End, EXIT, hubUrl, type Run, type Terminal } from "../terminal/terminal.ts";
import { textParts } from "../terminal/text-parts.ts";

/** A conversation as JSONL, to a file, into a folder under the name that `claude --resume` takes, or to stdout. */
export const run: Run = async (terminal, [id, to]) => {
  if (id === undefined) throw new End(EXIT.badInput, "Usage: parley export SESSION_ID [FILE | FOLDER]");
  const reply = await hubOf(terminal).fetch("exportSession", { params: { id } });
  if (!reply.headers.get("content-type")?.startsWith("application/x-ndjson")) {
    throw new End(EXIT.unreachable, `What answers at ${hubUrl(terminal)} is not Parley.`);
  }
  const parts = whole(terminal, textParts(reply));
  if (to === undefined) for await (const part of parts) terminal.print(part);
  else if (isFolder(to)) terminal.print(`${await write(parts, join(to, nameIn(reply, id)))}\n`);
  else await write(parts, to);
  return EXIT.answered;
};

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function nameIn(reply: Response, id: string): string {
  const name = /filename="([\w.-]+)"/.exec(reply.headers.get("content-disposition") ?? "")?.[1];
  return basename(name ?? `${id}.jsonl`);
}

async function* whole(terminal: Terminal, parts: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* parts;
  } catch {
    throw new End(EXIT.unreachable, `Parley at ${hubUrl(terminal)} broke off: the export is not whole.`);
  }
}

/** All of it or nothing; where it is now. */
async function write(parts: AsyncIterable<string>, file: string): Promise<string> {
  const beside = `${file}.${process.pid}.part`;
  try {
    // Opened before anything can fail: a stream that opens the file itself may create it after it was removed below.
    const opened = await open(beside, "w");
    await pipeline(parts, opened.createWriteStream());
    renameSync(beside, file);
    return file;
  } catch (error) {
    rmSync(beside, { force: true });
    if (error instanceof End) throw error;
    throw new End(EXIT.badInput, `${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
  }
}
