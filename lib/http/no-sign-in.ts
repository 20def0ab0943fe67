/** For MCP clients that look for a sign-in, which show people what they get there. */
export const NO_SIGN_IN =
  "Parley has no sign-in for programs: an MCP client connects to /mcp without OAuth and without a key.";
