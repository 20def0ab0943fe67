import { stripControls } from "../../domain/clean-text.ts";
import { createTerminalClient } from "../terminal/hub-client.ts";
import { EXIT, type Run } from "../terminal/terminal.ts";

/** Lists the questions that can be asked by name, and the broken ones. */
export const run: Run = async (terminal, _args, { json }) => {
  const { skills, broken } = await createTerminalClient(terminal, "either").call("skills", {});
  if (json) terminal.print(`${JSON.stringify({ skills, broken })}\n`);
  for (const { name, description, variables } of json ? [] : skills) {
    const filled = variables.map((one) => (one.default === null ? one.name : `${one.name}=${one.default}`)).join(" ");
    terminal.print(
      `${stripControls(name)}${filled ? ` (${stripControls(filled)})` : ""}${description ? `: ${stripControls(description)}` : ""}\n`,
    );
  }
  for (const { file, line, message } of broken) terminal.say(`${file}:${line}: ${stripControls(message)}`);
  return broken.length > 0 ? EXIT.badInput : EXIT.answered;
};
