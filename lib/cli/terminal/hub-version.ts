import { hubUrl } from "./hub-url.ts";
import type { Terminal } from "./terminal.ts";

export type Health = { version: string; database: string; migrations: string };

const PATIENCE_MS = 5_000;
const NOTE_MS = 1_000;

/** The health of the Parley at `url`, or undefined if none responds. */
export async function healthOf(url: string, patienceMs = PATIENCE_MS): Promise<Health | undefined> {
  try {
    const reply = await (await fetch(`${url}/health`, { signal: AbortSignal.timeout(patienceMs) })).json();
    return typeof reply?.version === "string" && typeof reply.database === "string" ? reply : undefined;
  } catch {
    return undefined;
  }
}

/** A hint for a command that failed: the versions may differ. */
export async function versionNote(terminal: Terminal): Promise<string | undefined> {
  const health = await healthOf(hubUrl(terminal), NOTE_MS);
  return health && otherVersion(terminal, health);
}

export function otherVersion({ version }: Terminal, health: Health): string | undefined {
  if (health.version === version) return undefined;
  return `Parley is version ${health.version}, this command ${version}. Use the same version for both.`;
}
