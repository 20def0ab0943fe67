import { text } from "node:stream/consumers";
import { ClientError } from "../client.ts";
import { askThroughHub } from "./claude-code/ask-through-hub.ts";
import { readHookInput } from "./claude-code/hook-input.ts";
import { End, EXIT, type Run } from "./terminal.ts";

/** What Claude Code runs when it asks: it never fails, for Claude Code asks in its own terminal all the same. */
export const run: Run = async (terminal, [agent], { url }) => {
  if (agent !== "claude-code") throw new End(EXIT.badInput, "Usage: parley hook claude-code");
  const input = readHookInput(await text(terminal.input));
  // An agent that Parley runs itself asks by itself.
  if (!input || terminal.env.PARLEY_INSIDE) return EXIT.answered;
  const here = typeof url === "string" ? { ...terminal, env: { ...terminal.env, PARLEY_URL: url } } : terminal;
  try {
    const output = await askThroughHub(here, input);
    if (output) terminal.print(`${JSON.stringify(output)}\n`);
  } catch (error) {
    if (!(error instanceof End || error instanceof ClientError)) throw error;
    terminal.say(error.message);
  }
  return EXIT.answered;
};
