import { chmodSync, mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { isJsonObject } from "../../domain/json.ts";
import { CommandExit, EXIT, type Terminal } from "./terminal.ts";
import { cannotWrite, readText } from "./text-file.ts";

/** What is stored for one Parley. */
export type HubKeys = {
  /** The key that agents on this machine ask with. */
  agent?: { key: string; name: string };
  /** The token that a person answers with here, for 12 hours. */
  person?: { token: string; name: string; expires_at: string };
};

/** `hub`: the one that was signed in to last, which commands use unless PARLEY_URL says otherwise. */
type Keys = { hub?: string | undefined; hubs: Record<string, HubKeys> };

type Place = Pick<Terminal, "env">;

/** Where keys are stored, readable for this person alone. */
export function keysFile({ env }: Place): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), ".config"), "parley", "keys.json");
}

/** The keys for the Parley at this address. */
export function storedKeys(terminal: Place, url: string): HubKeys {
  const { hubs } = read(terminal);
  return Object.hasOwn(hubs, url) ? (hubs[url] ?? {}) : {};
}

/** The default address of Parley for commands. */
export function storedHub(terminal: Place): string | undefined {
  return read(terminal).hub;
}

/** Adds keys for the Parley at this address, which becomes the one that commands use. */
export function storeKeys(terminal: Place, url: string, keys: HubKeys): void {
  const { hubs } = read(terminal);
  write(terminal, { hub: url, hubs: { ...hubs, [url]: { ...storedKeys(terminal, url), ...keys } } });
}

/** Removes what is stored for this address. */
export function forgetKeys(terminal: Place, url: string): void {
  const { hub, hubs } = read(terminal);
  const { [url]: _, ...others } = hubs;
  write(terminal, { hub: hub === url ? undefined : hub, hubs: others });
}

/** Whether others on this machine can read the keys. */
export function isExposed(terminal: Place): boolean {
  const mode = statSync(keysFile(terminal), { throwIfNoEntry: false })?.mode;
  return mode !== undefined && (mode & 0o077) !== 0;
}

function read(terminal: Place): Keys {
  const file = keysFile(terminal);
  const text = readText(file);
  if (text === undefined) return { hubs: {} };
  try {
    const { hub, hubs }: Record<string, unknown> = JSON.parse(text);
    if (!isJsonObject(hubs) || !Object.values(hubs).every(isJsonObject)) throw new Error("not the keys");
    return { hub: typeof hub === "string" ? hub : undefined, hubs: hubs as Record<string, HubKeys> };
  } catch {
    throw new CommandExit(EXIT.badInput, `${file} cannot be understood. Remove it, and run: parley login`);
  }
}

/** Writes atomically. The file is never readable for others, not even for a moment. */
function write(terminal: Place, keys: Keys): void {
  const file = keysFile(terminal);
  const temporary = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    chmodSync(dirname(file), 0o700);
    writeFileSync(temporary, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
    chmodSync(temporary, 0o600);
    renameSync(temporary, file);
  } catch (error) {
    throw cannotWrite(file, error);
  }
}
