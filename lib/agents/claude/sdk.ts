/** The Claude Agent SDK ships a 350 MB program, so it is optional: users install it themselves. */
export type Sdk = typeof import("@anthropic-ai/claude-agent-sdk");

export const NOT_INSTALLED =
  "The Claude Agent SDK is not installed here. In Parley's folder run `npm install --no-save @anthropic-ai/claude-agent-sdk`, start Parley again, and send the message once more.";

export function isInstalled(): boolean {
  try {
    return import.meta.resolve("@anthropic-ai/claude-agent-sdk") !== "";
  } catch {
    return false;
  }
}

export async function loadSdk(): Promise<Sdk | undefined> {
  try {
    return await import("@anthropic-ai/claude-agent-sdk");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
