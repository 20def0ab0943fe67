import { stripControls } from "../../domain/clean-text.ts";
import type { Me } from "../../protocol/sign-in.ts";
import { credentialFor } from "../terminal/credentials.ts";
import { createPlainClient } from "../terminal/hub-client.ts";
import { hubUrl, isUnencrypted } from "../terminal/hub-url.ts";
import { isExposed, keysFile, storedKeys } from "../terminal/keys-file.ts";
import { rightsInWords } from "../terminal/rights-in-words.ts";
import { notSignedIn } from "../terminal/sign-in.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { clockTime, duration } from "../terminal/when.ts";
import type { Check } from "./agents-here.ts";

/** Further apart, links, codes and sessions seem to end too early or too late. */
const APART_MS = 60_000;
const PATIENCE_MS = 5_000;

/** Whether people sign in, with what this machine does, and whether anything is in the way. */
export async function signInHere(terminal: Terminal): Promise<Check[]> {
  const me = await whoIs(terminal, "agent");
  if (!me) return [];
  const apart = await clockDifference(hubUrl(terminal));
  return [
    SIGN_IN[me.mode],
    ...(me.mode === "team" ? [keyCheck(terminal, me), ...(await personChecks(terminal)), ...fileChecks(terminal)] : []),
    encryption(hubUrl(terminal)),
    ...(apart === undefined ? [] : [clockCheck(apart)]),
  ];
}

const SIGN_IN: Record<Me["mode"], Check> = {
  open: { name: "Sign-in", ok: true, says: "not needed: nobody has an account" },
  setup: {
    name: "Sign-in",
    ok: false,
    says: "nobody has an account yet, so nothing works. On Parley's machine, run: parley team",
  },
  team: { name: "Sign-in", ok: true, says: "people sign in, and agents need a key" },
};

function keyCheck(terminal: Terminal, { key, person, rights }: Me): Check {
  const credential = credentialFor(terminal, "agent");
  const who = key?.agent ?? person?.name;
  if (!credential || who === undefined) return { name: "Key", ok: false, says: notSignedIn(terminal, "agent").message };
  return {
    name: "Key",
    ok: true,
    says: `${stripControls(who)}, which may ${rightsInWords(rights)} (${credential.from})`,
  };
}

async function personChecks(terminal: Terminal): Promise<Check[]> {
  const { person: stored } = storedKeys(terminal, hubUrl(terminal));
  if (!stored) return [];
  const me = await whoIs(terminal, "person");
  const says = me?.person
    ? `${stripControls(me.person.name)}, ${me.person.role}, until ${clockTime(stored.expires_at, Date.now())}`
    : "your sign-in has ended. To answer here, run: parley login --answer";
  return [{ name: "You", ok: Boolean(me?.person), says, agent: true }];
}

function fileChecks(terminal: Terminal): Check[] {
  const file = keysFile(terminal);
  return isExposed(terminal)
    ? [{ name: "Keys", ok: false, says: `others on this machine can read them. Run: chmod 600 ${file}` }]
    : [];
}

function encryption(url: string): Check {
  if (isUnencrypted(url))
    return { name: "Connection", ok: false, says: "not encrypted: questions, answers and keys can be read on the way" };
  const says = url.startsWith("https:") ? "encrypted (https)" : "on this machine (http)";
  return { name: "Connection", ok: true, says };
}

function clockCheck(apartMs: number): Check {
  const apart = Math.abs(apartMs);
  if (apart < APART_MS) return { name: "Clock", ok: true, says: "agrees with that of Parley" };
  const says = `is ${duration(apart)} ${apartMs > 0 ? "behind" : "ahead of"} that of Parley. Set it by a time server`;
  return { name: "Clock", ok: false, says };
}

async function whoIs(terminal: Terminal, caller: "agent" | "person"): Promise<Me | undefined> {
  return createPlainClient(terminal, caller)
    .call("me", {})
    .catch(() => undefined);
}

/** By how much the clock of Parley is ahead of that of this machine, to within a second. */
async function clockDifference(url: string): Promise<number | undefined> {
  const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => undefined);
  await response?.body?.cancel();
  const there = Date.parse(response?.headers.get("date") ?? "");
  return Number.isNaN(there) ? undefined : there - Date.now();
}
