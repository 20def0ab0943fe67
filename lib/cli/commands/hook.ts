import { text } from "node:stream/consumers";
import { ClientError } from "../../client.ts";
import { askThroughHub } from "../claude-code/ask-through-hub.ts";
import { readHookInput } from "../claude-code/hook-input.ts";
import { reportAnswers } from "../claude-code/report-answers.ts";
import { atHub } from "../terminal/hub-url.ts";
import { CommandExit, EXIT, type Run } from "../terminal/terminal.ts";

/**
 * Claude Code runs this when it asks and after it gets an answer. It never fails, because Claude Code also asks in its
 * terminal.
 */
export const run: Run = async (terminal, [agent], { url }) => {
  if (agent !== "claude-code") throw new CommandExit(EXIT.badInput, "Usage: parley hook claude-code");
  const input = readHookInput(await text(terminal.input));
  // A built-in agent asks through Parley already.
  if (!input || terminal.env.PARLEY_INSIDE) return EXIT.answered;
  const here = typeof url === "string" ? atHub(terminal, url) : terminal;
  try {
    const isAnswered = input.hook_event_name === "PostToolUse";
    const output = await (isAnswered ? reportAnswers(here, input) : askThroughHub(here, input));
    if (output) terminal.print(`${JSON.stringify(output)}\n`);
  } catch (error) {
    if (!(error instanceof CommandExit || error instanceof ClientError)) throw error;
    terminal.say(error.message);
  }
  return EXIT.answered;
};
