import { renameSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createTerminalClient } from "../terminal/hub-client.ts";
import { hubUrl } from "../terminal/hub-url.ts";
import { CommandExit, EXIT, type Run, type Terminal } from "../terminal/terminal.ts";
import { cannotWrite } from "../terminal/text-file.ts";
import { textParts } from "../terminal/text-parts.ts";

/** Exports a conversation as JSONL to stdout, to a file, or into a folder under the name that `claude --resume` expects. */
export const run: Run = async (terminal, [id, to]) => {
  if (id === undefined) throw new CommandExit(EXIT.badInput, "Usage: parley export SESSION_ID [FILE | FOLDER]");
  const reply = await createTerminalClient(terminal, "either").fetch("exportSession", { params: { id } });
  if (!reply.headers.get("content-type")?.startsWith("application/x-ndjson")) {
    throw new CommandExit(EXIT.unreachable, `The server at ${hubUrl(terminal)} is not Parley.`);
  }
  const parts = untilComplete(terminal, textParts(reply));
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

async function* untilComplete(terminal: Terminal, parts: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* parts;
  } catch {
    throw new CommandExit(
      EXIT.unreachable,
      `Parley at ${hubUrl(terminal)} stopped responding: the export is incomplete.`,
    );
  }
}

/** Writes atomically and returns the path. */
async function write(parts: AsyncIterable<string>, file: string): Promise<string> {
  const temporary = `${file}.${process.pid}.part`;
  try {
    // Open the file before anything can fail: a stream that opens it itself may create it after the removal below.
    const opened = await open(temporary, "w");
    await pipeline(parts, opened.createWriteStream());
    renameSync(temporary, file);
    return file;
  } catch (error) {
    rmSync(temporary, { force: true });
    if (error instanceof CommandExit) throw error;
    throw cannotWrite(file, error);
  }
}
