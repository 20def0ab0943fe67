import { hubOf } from "../terminal/hub-client.ts";
import { End, EXIT, type Run } from "../terminal/terminal.ts";
import { readText } from "../terminal/text-file.ts";

/** Reads a conversation from JSONL and prints the id that it got. */
export const run: Run = async (terminal, [file], { json }) => {
  if (file === undefined) throw new End(EXIT.badInput, "Usage: parley import FILE");
  const text = readText(file);
  if (text === undefined) throw new End(EXIT.badInput, `${file} cannot be read: there is no such file.`);
  const reply = await hubOf(terminal).call("importSession", { body: text });
  terminal.print(`${json ? JSON.stringify(reply) : reply.session_id}\n`);
  terminal.say(`${reply.messages} messages, ${reply.rounds} rounds.`);
  return EXIT.answered;
};
