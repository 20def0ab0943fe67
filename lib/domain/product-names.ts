/** What programs call themselves to a server, and how people know them. */
const PRODUCTS: ReadonlyMap<string, string> = new Map([
  ["claude-code", "Claude Code"],
  ["codex-mcp-client", "Codex"],
  ["copilot", "Copilot"],
  ["copilot-cli", "Copilot"],
  ["gemini-cli-mcp-client", "Gemini CLI"],
]);

/** The name under which people see a program that did not choose one for them. */
export function productName(program: string): string {
  return PRODUCTS.get(program) ?? program;
}
