import type { Terminal } from "../terminal/terminal.ts";

/** Claude Code as it asks: by its own name, and not by that of the person at the terminal. */
export const asAgent = {
  name: "claude-code",
  at: (terminal: Terminal): Terminal => ({ ...terminal, env: { PARLEY_URL: terminal.env.PARLEY_URL } }),
};
