import { productName } from "../../domain/product-names.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Claude Code as the caller: under its own name, not that of the person at the terminal. */
export const asAgent = {
  name: productName("claude-code"),
  at: (terminal: Terminal): Terminal => {
    const { USER: _, PARLEY_NAME: __, ...env } = terminal.env;
    return { ...terminal, env };
  },
};
