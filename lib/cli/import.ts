import { readFileSync } from "node:fs";
import { hubOf } from "./hub.ts";
import { End, EXIT, type Run } from "./terminal.ts";

/** Reads a conversation from JSONL and prints the id that it got. */
export const run: Run = async (terminal, [file], { json }) => {
  if (file === undefined) throw new End(EXIT.badInput, "Usage: parley import FILE");
  const reply = await hubOf(terminal).call("importSession", { body: readText(file) });
  terminal.print(`${json ? JSON.stringify(reply) : reply.session_id}\n`);
  terminal.say(`${reply.messages} messages, ${reply.rounds} rounds.`);
  return EXIT.answered;
};

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new End(EXIT.badInput, `${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
