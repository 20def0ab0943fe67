import { storedHub } from "./keys-file.ts";
import { CommandExit, EXIT, type Terminal } from "./terminal.ts";

export const DEFAULT_URL = "http://localhost:3000";

/** Where Parley is: PARLEY_URL, or where this machine signed in last, or on this machine. */
export function hubUrl(terminal: Pick<Terminal, "env">): string {
  return withoutSlash(terminal.env.PARLEY_URL || storedHub(terminal) || DEFAULT_URL);
}

/** An address that a person typed. */
export function hubAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new CommandExit(EXIT.badInput, `${text} is not the address of a Parley, such as https://parley.example.com.`);
  return withoutSlash(url.origin + url.pathname);
}

/** The same terminal for the Parley at another address. */
export function atHub(terminal: Terminal, url: string): Terminal {
  return { ...terminal, env: { ...terminal.env, PARLEY_URL: url } };
}

/** Whether others on the network could read what is sent there. */
export function isUnencrypted(url: string): boolean {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: "", hostname: "" };
  return protocol === "http:" && !/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
