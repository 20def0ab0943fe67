import type { Mode } from "../protocol/sign-in.ts";

/** For MCP clients that look for a sign-in: they show people what they get there. */
export function signInHint(mode: Mode, publicUrl: string): string {
  if (mode === "open")
    return "Parley has no sign-in for programs: an MCP client connects to /mcp without OAuth and without a key.";
  if (mode === "setup") return "Nobody has an account here yet. Open the link that Parley printed on its console.";
  return `Parley needs an API key. Create one at ${publicUrl}/connect, then run: claude mcp add --transport http parley ${publicUrl}/mcp --header "Authorization: Bearer \${PARLEY_KEY}"`;
}
