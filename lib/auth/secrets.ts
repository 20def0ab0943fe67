import { hash, randomBytes, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import type { KeyKind } from "../protocol/api-key.ts";

// Secrets are random, so a plain hash of them is enough: there is nothing to guess. Only the hash is ever stored, and only
// the hash is a key of the caches, so that a dump of the database or of the memory opens nothing.

/** What is stored and looked up in place of a secret. */
export function digestOf(secret: string): string {
  return hash("sha256", secret, "base64url");
}

/** Of a session, a link or a device: 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

const PREFIX: Record<KeyKind, string> = { agent: "parley_agent_", personal: "parley_personal_" };
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM = 32;
const CHECK = 7;
const KEY = /^parley_(?:agent|personal)_([0-9A-Za-z]{39})$/;

/** A prefix that people and scanners recognise, 190 random bits, and a checksum. */
export function newApiKey(kind: KeyKind): string {
  let random = "";
  for (let i = 0; i < RANDOM; i++) random += ALPHABET[randomInt(ALPHABET.length)];
  const text = PREFIX[kind] + random;
  return text + checkOf(text);
}

/** Whether it could be one of our keys: a typo or a guess is refused without a look into the database. */
export function isApiKey(text: string): boolean {
  return KEY.test(text) && text.slice(-CHECK) === checkOf(text.slice(0, -CHECK));
}

/** How people tell keys apart: the beginning and the end. */
export function hintOf(kind: KeyKind, key: string): string {
  return `${PREFIX[kind]}…${key.slice(-4)}`;
}

function checkOf(text: string): string {
  return (crc32(text) >>> 0).toString(36).padStart(CHECK, "0");
}

/** Letters and digits that nobody confuses with another. */
const TYPED = "BCDFGHJKLMNPQRSTVWXZ23456789";

/** What a person types from one screen into another: `WXYZ-2345`, 38 bits. */
export function newUserCode(): string {
  const letters = Array.from({ length: 8 }, () => TYPED[randomInt(TYPED.length)]).join("");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** A code that follows from these bytes. */
export function userCodeOf(bytes: Uint8Array): string {
  return plainUserCode([...bytes.subarray(0, 8)].map((byte) => TYPED[byte % TYPED.length]).join(""));
}

/** As a person may type it: in lower case, with spaces, or without the dash. */
export function plainUserCode(text: string): string {
  const letters = text.toUpperCase().replace(/[^A-Z0-9]/g, "");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
