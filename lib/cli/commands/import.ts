import { createTerminalClient } from "../terminal/hub-client.ts";
import { CommandExit, EXIT, type Run } from "../terminal/terminal.ts";
import { readText } from "../terminal/text-file.ts";

/** Imports a conversation from JSONL and prints its new id. */
export const run: Run = async (terminal, [file], { json }) => {
  if (file === undefined) throw new CommandExit(EXIT.badInput, "Usage: parley import FILE");
  const text = readText(file);
  if (text === undefined) throw new CommandExit(EXIT.badInput, `${file} cannot be read: there is no such file.`);
  const reply = await createTerminalClient(terminal, "either").call("importSession", { body: text });
  terminal.print(`${json ? JSON.stringify(reply) : reply.session_id}\n`);
  terminal.say(`${reply.messages} messages, ${reply.rounds} rounds.`);
  return EXIT.answered;
};
